"""The table of topics: keys of infoboxes, and the words by which hypotheses speak about them.

docs/guide/perturb-hypotheses.md explains it. Words under ``unless`` show that a hypothesis speaks about something else
as well, such as the profit between budget and box office.
"""

from __future__ import annotations

from nliprobe.probes._topic import topic as _topic

_RELATIVES = (
    "husband|wife|wives|son|sons|daughter|daughters|father|mother|brother|sister|siblings?|child|children|parents?|"
    "spouse|partner|grandson|granddaughter|family"
)
_ACTING = (
    "active|career|perform(?:s|ed|ing)?|sing(?:s|ing)?|sang|act(?:s|ed|ing)?|play(?:s|ed|ing)?|entertain(?:s|ed|ing)?|"
    "music|musician|business|industry|profession|together|working|worked|mak(?:e|es|ing) (?:\\w+ )?(?:music|movies|"
    "albums|songs|films)|made (?:music|movies|films)|show ?biz|comedy|comedian|actor|actress|singer|band|been around|"
    "recording"
)

TOPICS = (
    _topic(
        "birth",
        r"born|birth ?date|date of birth|foaled|birth",
        _RELATIVES,
        day="born|birth(?:day|ed|date)?|foaled",
        ago="born|birth",
    ),
    _topic(
        "death",
        r"died|death|date of death|death date|date of passing",
        _RELATIVES,
        day="died|dies|passed away|death|deceased|killed|passed on",
        ago="died|passed away|death",
    ),
    _topic(
        "age",
        r"(?!)",
        _RELATIVES + "|died|death|passed|lived|when|married|started|began|became|since|first|dying",
        years="years? old|years of age|aged?|older|younger|turned",
    ),
    _topic("lifespan", r"(?!)", _RELATIVES, years="died|death|passed away|dying|dead|lived|living|deceased"),
    _topic(
        "release",
        r"(?:initial |original |first )?release(?:d| date| dates|s)?|publication (?:date|type)?|published|"
        r"premiered?|original air date|first published|publication",
        unless="re-?released?|finished|profit",
        day="releas(?:ed|e|es|ing)|came out|com(?:e|es|ing) out|debut(?:ed|s)?|premiered?|published|hit theaters|aired|"
        "out in",
        ago="releas(?:ed|e|es|ing)|came out|debuted|premiered|published|old",
    ),
    _topic(
        "recording",
        r"recorded",
        day="record(?:ed|ing|ings)?",
        span="record(?:ed|ing|ings)?",
        years="record(?:ed|ing|ings)?",
    ),
    _topic(
        "founding",
        r"found(?:ed|ation)|formation|established|formed|introduced|inception|opened|incorporated|launched|"
        r"first (?:played|awarded|flight|published|appearance)|date (?:founded|opened|introduced)|introduction|"
        r"year introduced|foundation",
        unless="recorded|settled|city|village|commissioned|retired|acquired",
        day="found(?:ed|ing)|form(?:ed|ation)|establish(?:ed|ment)|introduc(?:ed|tion)|inception|incorporated|opened|"
        "beg[au]n|began|start(?:ed)?|came out|created|creation|launched|invented|dat(?:es|ing) back|first (?:played|"
        "awarded|flown|flew|made|published|flight)|came about|been around",
        ago="found(?:ed|ing)|form(?:ed|ation)|establish(?:ed|ment)|introduced|inception|opened|began|started|came out|"
        "created|been around|old|existed|existence|been in (?:business|operation)|played|awarded|running|operating",
    ),
    _topic(
        "making",
        r"year|completed|completion date|year completed|date completed|painted",
        day="paint(?:ed|ing|ings)|made|created|completed|finished|art|artwork|published|work|drawn|done|sculpted",
        ago="paint(?:ed|ing|ings)|made|created|completed|finished|artwork|old",
    ),
    _topic(
        "activity",
        r"years active|active(?: years)?|years? of activity",
        unless="married|marriage|wife|husband|labels?|born|died|years? old|consecutive(?:ly)?|continuous(?:ly)?|break|"
        "breaks|hiatus|signed|contract|award|awards|fam(?:e|ous)|albums? (?:was|took)|when",
        start="start(?:s|ed|ing)?|beg[au]n|began|formed|founded|debuted|opened|formation|inception",
        end="until|till|through|ended|retired|stopped|disbanded|quit|broke up|split|last active|ceased",
        years=_ACTING,
        span=_ACTING,
        ago="started|began|formed|founded|debuted",
    ),
    _topic(
        "service",
        r"in office|years of service|service years|assumed office|term|tenure|reign|reigned",
        unless="married|born|died|years? old|before|after|both|same",
        start="took office|assumed office|came into office|entered office|took the throne",
        end="left office|until",
        years="in office|serv(?:ed|ing|es|ice)|office|held office|reign(?:ed)?|ruled|military",
        span="in office|serv(?:ed|ing|es|ice)|office|reign(?:ed)?|ruled",
    ),
    _topic(
        "running time",
        r"running time|run ?time|length|duration|playing time",
        unless="each|per|average|twice|combined|other|times|drive",
        time="run(?:ning|s)?[- ]?times?|runtimes?|long|length|lasts?|lasted|runs?|ran|duration|movie|film|album|"
        "minutes?|hours?|mins?|hrs?|shorter|longer|span",
    ),
    _topic(
        "box office",
        r"box office(?: gross)?|gross|revenue from box office",
        unless="budget|profit|profits|more than it|cost|costs|times|twice|lost|loss|difference|percent|"
        "recoup(?:ed)?|return",
        amount="box[- ]office|gross(?:ed|es|ing)?|made|earned|brought in|took in|make|making|earnings?|sales|"
        "pulled in|raked in",
    ),
    _topic(
        "budget",
        r"budget|production budget|cost",
        unless="box[- ]office|profit|profits|times|twice|recoup(?:ed)?|over its budget|made|earned|lost|loss|"
        "difference",
        amount="budget(?:ed)?|cost|costs|spent|produce",
    ),
    _topic(
        "earnings",
        r"earnings|career earnings|prize money",
        unless="budget|profit|each|per|average",
        amount="earn(?:ed|ings|s)|won|winnings|made|prize money",
    ),
    _topic(
        "children",
        r"children|childrens|kids|issue|child",
        unless="grand ?child(?:ren)?|step ?child(?:ren)?|adopted|wife|wives|husband|first|second|sons|daughters|each",
        amount="child(?:ren)?|kids|offspring",
        count="child(?:ren)?|kids|offspring",
    ),
    _topic(
        "spouses",
        r"spouses?(?:\(s\)|s)?|spouse or partner|wives|husbands?",
        unless="children|kids|divorced?|remarr(?:y|ied)|failed|widow(?:er|ed)?|older|younger|first|second|last",
        count="wives|husbands|spouses|marriages|wife|husband|married (?=\\w+ times)|times",
    ),
    _topic(
        "marriage",
        r"spouses?(?:\(s\)|s)?|spouse or partner",
        unless="children|kids|divorced?|remarr(?:y|ied)|failed|widow(?:er|ed)?|before|after|when|old|half|life",
        years="married|marriage",
    ),
    _topic("height", r"height", unless="each|average|wide|long", amount="tall|height|taller|shorter"),
    _topic(
        "weight",
        r"weight",
        unless="each|average|between|range|vary|varies|female|male|males|females",
        amount="weigh(?:s|ed|ing)?|weight|heavier|lighter",
    ),
    _topic(
        "elevation",
        r"elevation|highest elevation|highest point",
        unless="lowest|average|mountains?",
        amount="elevation|above sea level|tall|high|tops|highest",
    ),
    _topic(
        "population",
        r"(?:total |city )?population.*|estimate.*|.*census.*|city|total|town|municipality|urban|metro",
        unless="density|per|speak|speakers|percent|%|households|rural|combined|grew|growth|electorate",
        amount="population|people|inhabitants|residents",
    ),
    _topic("labels", r"labels?|record labels?", unless="same|different label|each|first|last", count="labels?"),
    _topic("genres", r"genres?", unless="each|first", count="genres?|styles? of music|types? of music|musical styles?"),
    _topic("instruments", r"instruments?", unless="each|first", count="instruments?"),
    _topic(
        "occupations",
        r"occupations?(?:\(s\))?|professions?(?:\(s\))?",
        unless="each|first",
        count="occupations?|professions?|jobs?|careers",
    ),
    _topic(
        "producers",
        r"producers?|produced by|producer\(s\)",
        unless="written|writ(?:er|ers|ing)|direct(?:ed|or|ors|ing)|"
        "starr?(?:ed|ing|s)?|edited|companies|company|studios?|each|first|executive",
        count="producers?|produced by",
    ),
    _topic(
        "directors",
        r"directors?|directed by|director\(s\)",
        unless="written|writ(?:er|ers|ing)|produc(?:ed|er|ers|ing)|starr?(?:ed|ing|s)?|edited|each|first",
        count="directors?|directed by",
    ),
    _topic(
        "writers",
        r"writers?|written by|screenplay by|author\(?s?\)?",
        unless="direct(?:ed|or|ors|ing)|produc(?:ed|er|ers|ing)|starr?(?:ed|ing|s)?|edited|each|first|story|based",
        count="writers?|written by|authors?",
    ),
    _topic(
        "cast",
        r"starring|cast|stars",
        unless="each|first|main|lead",
        count="actors|stars|actors and actresses|cast members",
    ),
    _topic(
        "languages",
        r"official languages?|languages?(?:\(s\))?",
        unless="each|first|spoken|minority|regional",
        count="languages?",
    ),
    _topic("associated acts", r"associated acts", unless="each|first|other|genre", count="(?:associated )?acts"),
    _topic(
        "production companies",
        r"production ?compan(?:y|ies)|production company\(ies\)",
        unless="each|first|distribut\\w+",
        count="production companies|production company|companies|studios",
    ),
    _topic(
        "awards", r"awards|notable awards|honours", unless="each|first|nominat\\w+|military|same|most", count="awards"
    ),
    _topic("parents", r"parents?(?:\(s\))?", unless="each|first", count="parents"),
    _topic("distributors", r"distributed by|distributors?", unless="each|first", count="distributors?|distributed by"),
    _topic("ingredients", r"(?:main )?ingredients", unless="each|first|such", count="(?:main )?ingredients"),
    _topic(
        "alternative names",
        r"alternative names|other names|also known as",
        unless="each|first",
        count="(?:alternative|other|different) names",
    ),
    _topic(
        "members", r"members|current members|band members", unless="each|first|past|former|original", count="members"
    ),
)
