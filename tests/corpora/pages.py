"""Infoboxes of an invented person, film and city, in the markup that Wikipedia writes, and how tests read them."""

from __future__ import annotations

from nliprobe.corpora.infobox._checks import table_from
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.pages import PageOptions, read_page
from nliprobe.task.table import Table

PERSON = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Mira Voss - Wikipedia</title>
<style>.infobox td { color: red }</style></head>
<body><h1 id="firstHeading"><span class="mw-page-title-main">Mira Voss</span></h1>
<table class="ambox"><tbody><tr><td>This article needs work.</td></tr></tbody></table>
<table class="infobox biography vcard"><tbody>
<tr><th colspan="2" class="infobox-above"><div class="honorific-prefix">Dame</div>
 <div class="fn" style="display:inline">Mira Voss</div></th></tr>
<tr><td colspan="2" class="infobox-image"><span typeof="mw:File"><a href="/wiki/File:V.jpg"><img alt="Voss in 2004"
 src="v.jpg" width=220></a></span><div class="infobox-caption">Voss in 2004</div></td></tr>
<tr><th scope="row" class="infobox-label">Born</th><td class="infobox-data"><div style="display:inline">
 Mira Anna Voss</div><br><span style="display:none">(<span class="bday">1965-05-05</span>) </span>5 May 1965<span
 class="noprint ForceAgeToShow"> (age&nbsp;60)</span><sup id="cite_ref-1" class="reference"><a href="#1"><span
 class="cite-bracket">&#91;</span>1<span class="cite-bracket">&#93;</span></a></sup><br>
 <div style="display:inline" class="birthplace"><a href="/wiki/Tarn">Tarn</a>, Velmark</div></td></tr>
<tr><th scope="row" class="infobox-label">Occupations</th><td class="infobox-data role"><style
 data-mw-deduplicate="x">.mw-parser-output .hlist dl{margin:0}</style><div class="hlist"><ul><li>Actress</li><li><a
 href="/wiki/D">director</a></li></ul></div></td></tr>
<tr><th scope="row" class="infobox-label"><span class="nowrap">Years&nbsp;active</span></th>
 <td class="infobox-data">1983&#8211;present</td></tr>
<tr><th scope="row" class="infobox-label">Spouse</th><td class="infobox-data"><div class="marriage-display-ws"><div
 style="display:inline-block">Jonas Reld</div> (m. 1990)</div></td></tr>
<tr><th scope="row" class="infobox-label">Awards</th><td class="infobox-data"><div class="plainlist"><ul>
 <li><b>Silver Lantern</b> (1999)<sup class="noprint Inline-Template">[<i>citation needed</i>]</sup></li>
 <li>Order of Velmark<sup>[a]</sup></li></ul></div></td></tr>
<tr><th colspan="2" class="infobox-header" style="background:#ddd">Member of the Tarn Council</th></tr>
<tr><td colspan="2" class="infobox-full-data"><b>In office</b><br>1 March 2008 – 2 April 2012</td></tr>
<tr><th scope="row" class="infobox-label">Preceded by</th><td class="infobox-data">Ole Marn</td></tr>
<tr><th scope="row" class="infobox-label">Succeeded by</th><td class="infobox-data">Ida Quill</td></tr>
<tr><th scope="row" class="infobox-label">Signature</th><td
 class="infobox-data"><img src="s.png" alt="signature"></td></tr>
<tr><td colspan="2" class="infobox-below">example.org</td></tr>
</tbody></table>
<p>Mira Voss is an actress.</p>
<table class="wikitable"><tr><th>Year</th><th>Film</th><th>Role</th></tr>
<tr><td>1999</td><td>The Tin Lantern</td><td>Ada</td></tr></table>
</body></html>
"""

PERSON_ROWS = {
    "Born": ["Mira Anna Voss", "5 May 1965 (age 60)", "Tarn, Velmark"],
    "Occupations": ["Actress", "director"],
    "Years active": ["1983–present"],
    "Spouse": ["Jonas Reld (m. 1990)"],
    "Awards": ["Silver Lantern (1999)", "Order of Velmark"],
}
COUNCIL_ROWS = {
    "In office": ["1 March 2008 – 2 April 2012"],
    "Preceded by": ["Ole Marn"],
    "Succeeded by": ["Ida Quill"],
}

# Tags are left open and attributes unquoted, as older pages are.
FILM = """<title>The Tin Lantern (film) - Wikipedia</title>
<table class=infobox width=250><caption class="infobox-title summary"><i>The Tin Lantern</i></caption>
<tr><td colspan=2 align=center><a href=p.jpg><img src=p.jpg></a><br><small>Theatrical poster</small>
<tr><th>Directed by<td>Mira Voss
<tr><th>Starring<td>Ida Quill<br>Ole Marn<br/>Jonas Reld<br>
<tr><th>Release date<td><ul><li>3 June 1999 (<a>Tarn</a>)<li>9 July 1999</ul>
<tr><th rowspan=2>Running time<td>101 minutes
<tr><td>128 minutes (director&#39;s cut)
<tr><th>Country<td rowspan=2>Velmark
<tr><th>Setting
<tr><th>Box office<td>&euro;4.5&nbsp;million[2][note 3]
</table>
"""

FILM_ROWS = {
    "Directed by": ["Mira Voss"],
    "Starring": ["Ida Quill", "Ole Marn", "Jonas Reld"],
    "Release date": ["3 June 1999 (Tarn)", "9 July 1999"],
    "Running time": ["101 minutes", "128 minutes (director's cut)"],
    "Country": ["Velmark"],
    "Setting": ["Velmark"],
    "Box office": ["€4.5 million"],
}

CITY = """<html><body><h1>Tarn</h1>
<table class="infobox ib-settlement vcard"><tbody>
<tr><th colspan="2" class="infobox-above"><div class="fn org">Tarn</div></th></tr>
<tr><td colspan="2" class="infobox-subheader"><div class="category">City</div></td></tr>
<tr class="mergedtoprow"><td colspan="2" class="infobox-image"><div class="ib-settlement-cols"><div><img src=f.svg>
<div class="ib-settlement-caption-link">Flag</div></div></div></td></tr>
<tr class="mergedbottomrow"><td colspan="2" class="infobox-full-data">Coordinates: <span class="geo-inline"><span
 class="geo-default"><span class="geo-dms"><span class="latitude">41°52′N</span> <span
 class="longitude">87°37′W</span></span></span><span class="geo-multi-punct">&#xfeff; / &#xfeff;</span><span
 class="geo-nondefault"><span class="geo-dec">41.87°N</span></span></span></td></tr>
<tr><th class="infobox-label">Country</th><td class="infobox-data"><span class="flagicon"><img src=x></span>&nbsp;<a
 href="/wiki/Velmark">Velmark</a></td></tr>
<tr><th class="infobox-label">Native name</th><td class="infobox-data">Тарн на Велте</td></tr>
<tr><th class="infobox-label">Founded</th><td class="infobox-data">1203</td></tr>
<tr class="mergedtoprow"><th colspan="2" class="infobox-header">Area<sup class="reference">[3]</sup></th></tr>
<tr class="mergedrow"><th class="infobox-label">&nbsp;•&nbsp;Total</th><td
 class="infobox-data">234.1&nbsp;km<sup>2</sup>
 (90.4&nbsp;sq&nbsp;mi)</td></tr>
<tr class="mergedrow"><th class="infobox-label">&nbsp;•&nbsp;Water</th><td
 class="infobox-data">6.9 km<sup>2</sup></td></tr>
<tr class="mergedtoprow"><th colspan="2" class="infobox-header">Population<div>(2020)</div></th></tr>
<tr class="mergedrow"><th class="infobox-label">&nbsp;•&nbsp;Total</th><td class="infobox-data">41,200</td></tr>
<tr><td colspan="2" class="infobox-full-data"><table class="infobox-subbox"><tbody>
<tr><th colspan="2" class="infobox-header">Mayor</th></tr>
<tr><th class="infobox-label">Name</th><td class="infobox-data">Ida Quill</td></tr>
<tr><th class="infobox-label">Party</th><td
 class="infobox-data"><table><tr><td>Blue</td><td>List</td></tr></table></td></tr>
</tbody></table></td></tr>
</tbody></table></body></html>
"""


def page(text: str, select: str = "auto", sections: str = "split") -> tuple[list[Table], Notes]:
    notes = Notes()
    found = [table_from(draft, notes) for draft in read_page(text, "p.html", notes, PageOptions(select, sections))]
    return found, notes


def rows(table: Table) -> dict[str, list[str]]:
    return {row.key: list(row.values) for row in table.rows}
