"""The addresses of the owner's pages about projects."""

from __future__ import annotations

from nliprobe.studio.calls import action, page
from nliprobe.studio.manage import changing, deciding, exporting, history, inviting, items, listing, making, overview
from nliprobe.studio.manage import raters as people

_ONE = "/projects/{key}"

ROUTES = [
    page("/projects", listing.list_projects),
    page("/projects/new", making.new_page),
    action("/projects/new", making.send_form),
    action("/projects/preview", changing.preview),
    page("/projects/new/{plan}", making.plan_page),
    page("/projects/new/{plan}/state", making.plan_state),
    action("/projects/new/{plan}", making.make),
    page(_ONE, overview.overview),
    page(f"{_ONE}/live", overview.live),
    action(f"{_ONE}/batches", overview.open_batches),
    page(f"{_ONE}/items", items.item_list),
    page(f"{_ONE}/items/{{number}}", items.item_page),
    action(f"{_ONE}/items/{{number}}", deciding.decide),
    page(f"{_ONE}/disagreements", deciding.disagreement_list),
    page(f"{_ONE}/raters/{{number}}", people.rater_page),
    action(f"{_ONE}/raters/{{number}}/link", people.renew),
    action(f"{_ONE}/raters/{{number}}/block", people.block),
    action(f"{_ONE}/raters/{{number}}/unblock", people.unblock),
    action(f"{_ONE}/raters/{{number}}/withdraw", people.withdraw),
    page(f"{_ONE}/invitations", inviting.invitations_page),
    action(f"{_ONE}/invitations", inviting.make_invitation),
    action(f"{_ONE}/invitations/{{number}}/revoke", inviting.revoke),
    page(f"{_ONE}/instructions", changing.instructions_page),
    action(f"{_ONE}/instructions", changing.change_instructions),
    page(f"{_ONE}/rules", changing.rules_page),
    action(f"{_ONE}/rules", changing.change_rules),
    page(f"{_ONE}/export", exporting.export_page),
    action(f"{_ONE}/export", exporting.download),
    action(f"{_ONE}/take", exporting.take_in, largest=exporting.LARGEST_UPLOAD),
    page(f"{_ONE}/log", history.log_page),
]
