"""The languages that have an analyzer, and the codes and names by which people call them."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache

from pyrite.core import RecipeError


@dataclass(frozen=True)
class Language:
    """A language and how its words are found.

    Attributes:
        code: ISO 639-1 (639-3 where there is none). alpha3: ISO 639-3.
        name: in English, lower case.
        stemmer: its Snowball algorithm, "wordseg" for segmentation, or "" for words between spaces as they are.
        aliases: other codes and names, lower case.
    """

    code: str
    alpha3: str
    name: str
    stemmer: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def analyzer(self) -> str:
        """The full name of its analyzer."""
        if self.stemmer == "wordseg":
            return f"wordseg:{self.code}"
        return f"stemmer:{self.code}/{self.stemmer}" if self.stemmer else f"whitespace:{self.code}"


# Snowball where it has the language, whatever the seed names otherwise (fa: whitespace). Languages written without
# spaces are here only with a segmenter: Burmese, Khmer, Lao and Tibetan are refused rather than cut wrongly.
LANGUAGES: tuple[Language, ...] = (
    Language("af", "afr", "afrikaans"),
    Language("am", "amh", "amharic"),
    Language("ar", "ara", "arabic", "arabic", ("arb",)),
    Language("az", "aze", "azerbaijani", "", ("azj",)),
    Language("be", "bel", "belarusian"),
    Language("bg", "bul", "bulgarian"),
    Language("bn", "ben", "bengali", "", ("bangla",)),
    Language("ca", "cat", "catalan", "catalan", ("valencian",)),
    Language("cs", "ces", "czech", "czech", ("cze",)),
    Language("cy", "cym", "welsh", "", ("wel",)),
    Language("da", "dan", "danish", "danish"),
    Language("de", "deu", "german", "german", ("ger",)),
    Language("el", "ell", "greek", "greek", ("gre",)),
    Language("en", "eng", "english", "english"),
    Language("eo", "epo", "esperanto", "esperanto"),
    Language("es", "spa", "spanish", "spanish", ("castilian",)),
    Language("et", "est", "estonian", "estonian", ("ekk",)),
    Language("eu", "eus", "basque", "basque", ("baq",)),
    Language("fa", "fas", "persian", "", ("per", "pes", "farsi")),
    Language("fi", "fin", "finnish", "finnish"),
    Language("fon", "fon", "fon", "", ("fongbe",)),
    Language("fr", "fra", "french", "french", ("fre",)),
    Language("ga", "gle", "irish", "irish"),
    Language("gl", "glg", "galician"),
    Language("gu", "guj", "gujarati"),
    Language("ha", "hau", "hausa"),
    Language("he", "heb", "hebrew", "", ("iw",)),
    Language("hi", "hin", "hindi", "hindi"),
    Language("hr", "hrv", "croatian"),
    Language("hu", "hun", "hungarian", "hungarian"),
    Language("hy", "hye", "armenian", "armenian", ("arm",)),
    Language("id", "ind", "indonesian", "indonesian", ("in",)),
    Language("ig", "ibo", "igbo"),
    Language("is", "isl", "icelandic", "", ("ice",)),
    Language("it", "ita", "italian", "italian"),
    Language("ja", "jpn", "japanese", "wordseg"),
    Language("ka", "kat", "georgian", "", ("geo",)),
    Language("kk", "kaz", "kazakh"),
    Language("kn", "kan", "kannada"),
    Language("ko", "kor", "korean", "wordseg"),
    Language("lt", "lit", "lithuanian", "lithuanian"),
    Language("lv", "lav", "latvian", "", ("lvs",)),
    Language("mk", "mkd", "macedonian", "", ("mac",)),
    Language("ml", "mal", "malayalam"),
    Language("mr", "mar", "marathi"),
    Language("ms", "msa", "malay", "", ("zsm", "may")),
    Language("ne", "nep", "nepali", "nepali", ("npi",)),
    Language("nl", "nld", "dutch", "dutch", ("dut", "flemish")),
    Language("no", "nor", "norwegian", "norwegian", ("nb", "nob", "nn", "nno", "bokmal", "nynorsk")),
    Language("pa", "pan", "punjabi"),
    Language("pl", "pol", "polish", "polish"),
    Language("pt", "por", "portuguese", "portuguese"),
    Language("ro", "ron", "romanian", "romanian", ("rum", "mo", "moldovan")),
    Language("ru", "rus", "russian", "russian"),
    Language("rw", "kin", "kinyarwanda"),
    Language("sk", "slk", "slovak", "", ("slo",)),
    Language("sl", "slv", "slovenian", "", ("slovene",)),
    Language("so", "som", "somali"),
    Language("sq", "sqi", "albanian", "", ("alb",)),
    Language("sr", "srp", "serbian", "serbian"),
    Language("st", "sot", "sesotho", "sesotho", ("southern sotho",)),
    Language("sv", "swe", "swedish", "swedish"),
    Language("sw", "swa", "swahili", "", ("swh", "kiswahili")),
    Language("ta", "tam", "tamil", "tamil"),
    Language("te", "tel", "telugu"),
    Language("th", "tha", "thai", "wordseg"),
    Language("tl", "tgl", "tagalog", "", ("fil", "filipino")),
    Language("tr", "tur", "turkish", "turkish"),
    Language("uk", "ukr", "ukrainian"),
    Language("ur", "urd", "urdu"),
    Language("uz", "uzb", "uzbek"),
    Language("vi", "vie", "vietnamese"),
    Language("xh", "xho", "xhosa"),
    Language("yi", "yid", "yiddish", "yiddish"),
    Language("yo", "yor", "yoruba"),
    Language("zh", "zho", "chinese", "wordseg", ("chi", "cmn", "mandarin", "yue", "cantonese")),
    Language("zu", "zul", "zulu"),
)


@cache
def _by_name() -> dict[str, Language]:
    names: dict[str, Language] = {}
    for language in LANGUAGES:
        for name in (language.code, language.alpha3, language.name, *language.aliases):
            names[name] = language
    return names


def language_of(name: str) -> Language:
    """The language of a code or an English name; a region or a script after it ("pt-BR", "zh_Hant") says nothing more.

    An unknown one is a RecipeError that lists the accepted.

    >>> [language_of(name).code for name in ("pt-BR", "jpn", "Portuguese", "eng_Latn")]
    ['pt', 'ja', 'pt', 'en']
    """
    wanted = name.strip().lower()
    found = _by_name().get(wanted) or _by_name().get(re.split(r"[-_]", wanted, maxsplit=1)[0])
    if found is None:
        # Codes of two and three letters are all near to each other, and none is what was meant.
        names = [name for name in _by_name() if len(name) > 3]
        close = difflib.get_close_matches(wanted, names, n=1) if len(wanted) > 3 else []
        near = f"did you mean '{close[0]}'? " if close else ""
        accepted = ", ".join(language.code for language in LANGUAGES)
        raise RecipeError(
            f"no analyzer for the language '{name}'",
            fix=f"{near}take auto, an analyzer's full name, or one of {accepted}",
        )
    return found
