"""Sentences are cut where people would cut them, and whatever the text, the pieces join to it again."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nliprobe.language.sentences import split_sentences, splitter_version

# One case per line; a bar is where a sentence ends, and what is around it does not belong to the sentence.
GOLD = r"""
Mr. Smith met Mrs. Jones. | Dr. Lee came, too.
Prof. Ada King and Rev. Paul Hill spoke. | Nobody listened.
Sen. Gray voted. | Gov. White did not.
He lives in the U.S. | He likes it there.
The U.S. Government said no. | The U.K. agreed.
She works for the F.B.I. | They know.
It was sold, e.g. in Paris. | It was not sold, i.e. kept, in Rome.
See No. 5 for details. | No. | Never.
Turn to p. 55 and read Fig. 3. | Then stop.
Vol. 2 is better than vol. 1. | Read it.
She joined Apple Inc. | The company grew.
Acme Corp. Ltd. sold it. | Nobody knows why.
J. R. R. Tolkien wrote it. | C. S. Lewis read it.
The play by C. P. Taylor was good. | Mary saw it.
My name is Jonas E. Smith. | Please sit down.
George W. Bush spoke. | Then he left.
Take vitamin C. | The doctor said so.
Plan B. | It works.
Pi is 3.14159. | It is not 3.
It cost $1.5 million. | In 1999. | Later it cost less.
In 1999. | 40 people came.
He ran 3.5 km in 12.4 min. | That is fast.
Version 2.0.1 is out. | Get it.
Well... | That was it... or was it?
He stopped… | Then he went on.
"Why?" he asked. | "Because." | She left.
"Why?" Mary asked. | Nobody answered.
"Help! Fire!" he cried. | Nobody came.
He said "yes." | Then he left.
“Never! Never.” | They ate.
Oh! I exclaimed. | He laughed.
"The end is near," she said. | "Go home."
(See the notes. They help.) | Then go on.
He left (in Sept. 1990. Yes) again. | She stayed.
It rained [all day]. | It stopped at night.
What?! | No way!! | Really.
Who? | Me? | You.
Is it true? | Nobody knows.
Visit https://www.example.com/a.b?c=d. | The site is good.
Write to anna.lee@example.com. | She answers.
Open the file notes.txt. | Read it.
He was ill. | Mary called.
I saw him in church. | Masses are at nine.
At 5 p.m. Mary left. | At 6 a.m. | The train came.
It opened on Jan. 5. | In Feb. it closed.
He was born on 29. 12. 1922 in Ulm. | Then he moved.
Tate was arrested on Dec. 29. 2022, with his brother. | Nobody was hurt.
It was hot, approx. 30 degrees. | We swam.
They sell pens, ink, etc. | The shop is small.
Smith et al. (2015) show it. | Others do not.
he said . | she left . | they came ?
He said . | She left . | The end .
`` They came ? '' he asked . | She nodded .
THE SHIP SANK. | NOBODY DIED. | IT WAS IN THE U.S. | THE END.
it was late. | nobody came. | they left.
no full stop at all and nothing else
Yahoo! is a company. | It is big.
iPhone sales rose. | eBay fell. | iPhone is a brand.
He ran away. | Police came.
The word.[1] | Next one.[2][3] | Last
这是第一句。|这是第二句！|真的吗？|「是。」|好。
これは文です。|次の文です。
यह एक वाक्य है। | यह दूसरा है।
هل هذا صحيح؟ | نعم.
Das ist gut. | Ärger gibt es nicht. | Über allem steht er.
Éric est là. | À bientôt.
He paid 5 lb. of rice. | It was good.
1. First do this. | 2. Then do that. | 3. Stop.
Note: this is good. | That is bad.
The rule is: never lie. | Keep it.
St. Louis is big. | He lives on Main St. | The house is old.
Mt. Rainier is high. | It is a volcano.
She paused -- for long. | Then she spoke.
– He left. | – She stayed.
He said he won. | Smith said so, too.
A. Smith went home. | B. Jones stayed.
The Ph.D. student left. | She was late.
It is 5 sq. ft. | It is small.
Great. | Bye.
The cat sat; the dog ran. | Both were happy.
Ch. Salilyn won. | Her sire was Ch. Condor.
The Rt. Hon. Arthur Lee spoke. | They clapped.
"""
CASES = GOLD.strip().splitlines()
# Texts of several lines.
LINES = [
    ("Introduction\nThe cat sat on the mat and slept.", ["Introduction", "The cat sat on the mat and slept."]),
    ("The old man went down to\nthe sea. Nobody saw him\nagain.",
     ["The old man went down to\nthe sea.", "Nobody saw him\nagain."]),
    ("We need:\n- bread. Fresh.\n- milk\n\nThat is all.", ["We need:", "- bread. Fresh.", "- milk", "That is all."]),
    ("1. One\n2. Two goes\non here. Yes.\n3) Three", ["1. One", "2. Two goes\non here. Yes.", "3) Three"]),
    ("* a thing\n• another\n– a third", ["* a thing", "• another", "– a third"]),
    ("Anna: Hi. How are you?\nBob: Fine. You?\n  Really fine.\nAnna: Yes.",
     ["Anna: Hi. How are you?", "Bob: Fine. You?\n  Really fine.", "Anna: Yes."]),
    ("Sales agent: Hello. Is this Ms. Lee?\n\nClient: Yes. Who is it?",
     ["Sales agent: Hello. Is this Ms. Lee?", "Client: Yes. Who is it?"]),
    ("Ann: Buy butter. . Mike: Ok. . Mike: And milk? . Ann: No...",
     ["Ann: Buy butter.", "Mike: Ok.", "Mike: And milk?", "Ann: No..."]),
    ("A: Hi. B: Hello there. A: Bye.", ["A: Hi.", "B: Hello there.", "A: Bye."]),
    ("The measure is: are we safe? The measure is: are we well? No.",
     ["The measure is: are we safe?", "The measure is: are we well?", "No."]),
    ("How to swim<br>Go to the lake. Jump.<br/>Swim.", ["How to swim", "Go to the lake.", "Jump.", "Swim."]),
    ("One.\r\nTwo.\r\n\r\nThree", ["One.", "Two.", "Three"]),
    ("First part.\n\n***\n\nSecond part.", ["First part.", "Second part."]),
    ("Subject: A big offer\n\nDear John,\n\nI hope you are well. Bye.\n\nBest,\nSam", None),
]  # fmt: skip


def pieces(text: str) -> list[str]:
    return [text[start:stop] for start, stop in split_sentences(text)]


@pytest.mark.parametrize("case", CASES)
def test_sentences_end_where_people_end_them(case: str) -> None:
    expected = [piece.strip() for piece in case.split("|")]
    # In languages that put nothing between sentences, nothing is between them.
    joint = " " if " | " in case else ""
    assert pieces(joint.join(expected)) == expected


def test_there_are_enough_cases() -> None:
    assert len(CASES) + len(LINES) >= 80


@pytest.mark.parametrize(("text", "expected"), [(text, expected) for text, expected in LINES if expected])
def test_lines_bullets_and_turns_are_kept_together(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


def test_an_email_falls_into_its_parts() -> None:
    assert pieces(LINES[-1][0])[:4] == ["Subject: A big offer", "Dear John,", "I hope you are well.", "Bye."]


TEXTS = st.one_of(
    st.text(st.characters()),
    st.lists(
        st.sampled_from([
            "Anna:", "B:", "- ", "1. ", ". ", "? ", "!", "...", "\n", "\n\n", "<br>", '"', "“", "”", "(", ")", " ", "a",
            "Mr.", "U.S.", "3.14", "The", "he", "word", "。", "e.g.", ":)", "\u200b", "\ud800", "\u2028", "é", "X. ",
        ]),
        max_size=60,
    ).map("".join),
)  # fmt: skip


@given(TEXTS)
@example("")
@example(" \n ")
@example("...")
@example("\ud800. \udfff! A")
@example("a\u0301. \u200d\u200b. \u202e.txt")
def test_any_text_joins_again(text: str) -> None:
    spans = split_sentences(text)
    done = 0
    for start, stop in spans:
        assert done <= start < stop <= len(text)
        piece = text[start:stop]
        assert piece == piece.strip()
        done = stop
    assert bool(spans) == bool(text.strip())
    assert split_sentences(text) == spans


def test_three_thousand_sentences_are_three_thousand() -> None:
    text = "Sentence no. 5 is by Mr. J. R. Hill (and 3.5 others). " * 3_000
    assert len(split_sentences(text)) == 3_000


@pytest.mark.parametrize(
    "unit", ["a" * 50, "(", '"', "“", ". ", "A: ", "\n", "- x\n", "<br>", "x. ", "! ", "\u3002", ".", " "]
)
def test_long_texts_of_one_kind_end(unit: str) -> None:
    # A run of marks or spaces that ends in something else was once tried from each of its places.
    text = f"A: b {unit * 30_000}x"
    assert all(stop > start for start, stop in split_sentences(text))


def test_the_version_is_a_digest() -> None:
    assert len(splitter_version()) == 24
