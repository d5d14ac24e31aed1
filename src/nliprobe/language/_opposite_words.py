"""The words by which :mod:`nliprobe.language.opposites` reads a sentence."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A sentence with one of these says what is so on a condition, or what may be so.
SCOPE = _set("if whether unless maybe perhaps possibly lest wonder wondered please let's")
# The part of a sentence between commas with one of these says that something is not so, may be so, or is so for some
# only: its opposite can be true beside it.
NEAR_SCOPE = _set("""
not no never nobody nothing none nowhere neither nor cannot hardly rarely seldom scarcely barely or either any anyone
anybody anything anywhere ever doubt doubts doubted deny denied denies
without may might could can sometimes occasionally rather instead unlike lack lacks lacked fail fails failed avoid
avoided prevent prevented prevents refuse refused until who whom whose which when whenever where wherever while what how
why whatever whichever few fewer little less least both versus vs every each everyone everybody everything all most many
some several other others another only like otherwise whereas those unlikely unable impossible doubtful kind kinds sort
sorts type types pretend pretending pretended ones such
""")
# These may open a part of a sentence that only adds something: "the room, which was clean, …".
ADDING = _set("which who where")
OPEN_AT_END = _set("? ؟ ？")
# Clauses about what is usual or possible, not about one event.
NOT_EVENTS = _set("""
always usually often generally typically normally commonly will shall would should must can could may might need needs
tend tends traditionally everyone people those you your
""")
# Subjects of which something and its opposite can be said at once: some were happy, some were sad.
SOME = _set("some many several few others one part parts certain often times ones either sometimes")

POSSESSIVES = _set("his her their my our your its")
NUMBERS = _set("two three four five six seven eight nine ten eleven twelve 2 3 4 5 6 7 8 9 10")
_ARTICLES = "a an the this that these those one some any no every each another both all several many few"
ARTICLES = NUMBERS | POSSESSIVES | _set(_ARTICLES)
DETERMINERS = ARTICLES | {"of"}
# Before a number these show that all of a known group are meant: "her four children" are hers whatever their age.
OWNED = POSSESSIVES | _set("the these those of other all")
GROUPS = _set("group pair crowd couple bunch team line row groups trio")

BE = _set("is are was were am be been being")
BEFORE_BE = _set("to will must have 'll he'll she'll it'll they'll")
LINKING = _set("""
seem seems seemed look looks looked feel feels felt become becomes became remain remains remained stay stays stayed grew
appears appeared sounds sounded
""")
# The 's of these is "is"; that of others may be a possessive.
PRONOUN_IS = _set("it's that's he's she's there's here's they're we're you're i'm")
# What may follow an adjective after "is"; a noun may not.
AFTER_IS = _set("""
to for than that of in on at about with and but because from by now then here there during after before since today
again toward towards among within
""")
THERE = _set("there there's there're")
COMPARING = _set("more most less least")
DEGREE = _set("very quite rather pretty too so somewhat also still now always")

GENDER_PRONOUNS = _set("he him his himself she her hers herself")
# With one of these the other gender would be odd.
GENDER_TRAITS = _set("""
beard beards bearded mustache moustache mustached mustachioed goatee pregnant breastfeeding bride bridesmaid groom
groomsmen
""")
# Relatives whose gender another person's pronoun leaves open: "his brother", but not "his wife".
KIN = _set("""
father mother son daughter brother sister uncle aunt nephew niece grandfather grandmother grandson granddaughter
dad mom
""")
# Verbs that open imperatives, and words that may come before them.
IMPERATIVES = _set("""
go come take give use see look try visit turn follow keep make let get add cut put help join call write send choose pick
enjoy remember imagine consider suppose note notice check ask be have start begin continue climb head walk drive stop
""")
BEFORE_IMPERATIVE = _set("then so and just also now even")
FUNCTION = _set("""
a an the of in on at to for from by with into onto over under near behind beside besides across along around through
during after before against among within about above below and but or as that than because since is are was were be been
being am has have had do does did will would it he she they we you i his her its their my our your this these those
there here not also then now while when who whom whose which where if so too up down off out away back toward towards
underneath beneath outside inside next amid amidst upon until past via together again alone
""")
PAST = _set("""
was were had did went came saw took got made said told gave found left kept felt became began ran sat stood held brought
bought caught fell grew knew led lost met paid put read rose sent set slept spoke spent stole swam taught thought threw
wore won wrote built broke chose drew drove ate flew forgot hung heard hid hit hurt laid lay let lit rode rang sang sank
shot shut struck swung tore woke wound
""")
# Before a word in -ed these show that it is a participle: "is located", "a limited time".
BEFORE_PARTICIPLE = (
    BE
    | ARTICLES
    | _set("""
has have of in on at to for from by with and or as more most very well is are than highly newly fully often also not
""")
)
# With one of these a word in -ing may be anything: "a mentor is a friend, helping a girl".
PRESENT = _set("is are am has have does do it's that's there's")
# Words in -ing and -ed that are no forms of verbs, or say nothing about an event.
NOT_GOING_ON = _set("""
thing things something nothing anything everything morning evening building ceiling wedding clothing during according
including being interesting king ring wing string spring sibling darling following bring sing amazing understanding
meaning feeling beginning opening ending housing funding training marketing accounting engineering
""")
NOT_PAST = _set("need indeed red bed feed seed speed deed breed exceed proceed succeed based united led limited used")

# Names that stand for lists of words in opposites.tsv.
WORD_CLASSES: dict[str, frozenset[str]] = {
    "person": _set("""
    man woman men women boy girl boys girls lady ladies gentleman gentlemen guy guys male female person couple kid kids
    child children lad fellow males females asian african american caucasian adult adults student
    """),
    "kin": _set("brother sister brothers sisters son daughter sons daughters sibling"),
    "role": _set("""
    dancer singer player athlete runner student worker teacher officer musician performer gymnast tennis basketball
    soccer swimmer skater surfer skier cyclist artist doctor nurse patient police reporter guitarist model actor tourist
    hiker jogger biker bicyclist volleyball wrestler golfer boxer child adult chef cook driver drummer vocalist vendor
    soldier rider snowboarder climber construction toddler baby infant teenager teen youth athletes dancers runners
    students workers players singers performers musicians skaters gymnasts teenagers teens pedestrian speaker customer
    scientist photographer employee hairdresser barber waiter lifeguard friend companion relative cousin
    """),
    # Decades and centuries: the early 1990s, the late 19th century.
    "date": frozenset(
        [f"{tens}0{end}" for tens in range(150, 203) for end in ("s", "'s")]
        + [f"{number}th" for number in range(4, 21)]
    )
    | _set("1st 2nd 3rd 21st sixties seventies eighties nineties fifties forties thirties twenties"),
}
