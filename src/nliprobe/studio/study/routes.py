"""The addresses of studies: the owner's, and those of participants."""

from __future__ import annotations

from nliprobe.studio.calls import action, page
from nliprobe.studio.study import answering, joining, managing
from nliprobe.studio.who import ParticipantOf

_BASE = "/study/{key}"
_ITEM = f"{_BASE}/stage/{{stage}}/{{item}}"

ROUTES = [
    page("/studies", managing.listed),
    page("/studies/{key}", managing.overview),
    action("/studies/{key}/invite", managing.invite),
    action("/studies/{key}/link", managing.renew),
    action("/studies/{key}/open", managing.open_link),
    action("/studies/{key}/withdraw", managing.withdraw),
    page("/studies/{key}/results", managing.results),
    page("/studies/{key}/answers.csv", managing.export),
    page(f"{_BASE}/come/{{token}}", joining.come, None),
    page(f"{_BASE}/join/{{token}}", joining.welcome, None),
    action(f"{_BASE}/join/{{token}}", joining.join, None),
    page(_BASE, joining.begin, ParticipantOf),
    action(f"{_BASE}/consent", joining.consent, ParticipantOf),
    page(f"{_BASE}/pause", joining.pause, ParticipantOf),
    page(f"{_BASE}/withdraw", joining.ask_withdrawal, ParticipantOf),
    action(f"{_BASE}/withdraw", joining.withdraw, ParticipantOf),
    page(f"{_BASE}/practice", answering.practice, ParticipantOf),
    action(f"{_BASE}/practice", answering.answer_practice, ParticipantOf),
    page(f"{_BASE}/stage/{{stage}}", answering.stage, ParticipantOf),
    page(f"{_BASE}/stage/{{stage}}/feedback", answering.feedback, ParticipantOf),
    action(f"{_BASE}/stage/{{stage}}/feedback", answering.answer_feedback, ParticipantOf),
    page(f"{_BASE}/feedback", answering.feedback, ParticipantOf),
    action(f"{_BASE}/feedback", answering.answer_feedback, ParticipantOf),
    page(_ITEM, answering.item, ParticipantOf),
    action(_ITEM, answering.answer, ParticipantOf),
    page(f"{_BASE}/thanks", answering.thanks, ParticipantOf),
]
