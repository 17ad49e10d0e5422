"""ISO 639 codes as language tags with a script, the form in which MTEB names languages."""

from __future__ import annotations

_TAGS = (
    "aa aar, ab abk-Cyrl, ae ave, af afr-Latn, ak aka-Latn, am amh-Ethi, an arg, ar ara-Arab, as asm-Beng, av ava, "
    "ay aym, az aze-Latn, ba bak-Cyrl, be bel-Cyrl, bg bul-Cyrl, bi bis, bm bam-Latn, bn ben-Beng, bo bod-Tibt, "
    "br bre-Latn, bs bos-Latn, ca cat-Latn, ce che, ch cha-Latn, co cos, cr cre, cs ces-Latn, cu chu, cv chv-Cyrl, "
    "cy cym-Latn, da dan-Latn, de deu-Latn, dv div-Thaa, dz dzo-Tibt, ee ewe-Latn, el ell-Grek, en eng-Latn, "
    "eo epo-Latn, es spa-Latn, et est-Latn, eu eus-Latn, fa fas-Arab, ff ful-Latn, fi fin-Latn, fj fij-Latn, "
    "fo fao-Latn, fr fra-Latn, fy fry-Latn, ga gle-Latn, gd gla-Latn, gl glg-Latn, gn grn-Latn, gu guj-Gujr, "
    "gv glv-Latn, ha hau-Latn, he heb-Hebr, hi hin-Deva, ho hmo, hr hrv-Latn, ht hat-Latn, hu hun-Latn, hy hye-Armn, "
    "hz her, ia ina-Latn, id ind-Latn, ie ile-Latn, ig ibo-Latn, ii iii, ik ipk, io ido-Latn, is isl-Latn, "
    "it ita-Latn, iu iku, ja jpn-Jpan, jv jav-Latn, ka kat-Geor, kg kon-Latn, ki kik-Latn, kj kua, kk kaz-Cyrl, "
    "kl kal, km khm-Khmr, kn kan-Knda, ko kor-Hang, kr kau, ks kas-Deva, ku kur-Arab, kv kom, kw cor-Latn, "
    "ky kir-Cyrl, la lat-Latn, lb ltz-Latn, lg lug-Latn, li lim-Latn, ln lin-Latn, lo lao-Laoo, lt lit-Latn, lu lub, "
    "lv lav-Latn, mg mlg, mh mah, mi mri-Latn, mk mkd-Cyrl, ml mal-Mlym, mn mon-Cyrl, mr mar-Deva, ms msa-Latn, "
    "mt mlt-Latn, my mya-Mymr, na nau, nb nob-Latn, nd nde, ne nep-Deva, ng ndo, nl nld-Latn, nn nno-Latn, "
    "no nor-Latn, nr nbl-Latn, nv nav, ny nya-Latn, oc oci-Latn, oj oji, om orm-Ethi, or ori-Orya, os oss-Cyrl, "
    "pa pan-Guru, pi pli, pl pol-Latn, ps pus-Arab, pt por-Latn, qu que, rm roh-Latn, rn run-Latn, ro ron-Latn, "
    "ru rus-Cyrl, rw kin-Latn, sa san-Deva, sc srd-Latn, sd snd-Arab, se sme, sg sag-Latn, si sin-Sinh, sk slk-Latn, "
    "sl slv-Latn, sm smo-Latn, sn sna-Latn, so som-Latn, sq sqi-Latn, sr srp-Cyrl, ss ssw-Latn, st sot-Latn, "
    "su sun-Latn, sv swe-Latn, sw swa-Latn, ta tam-Taml, te tel-Telu, tg tgk-Cyrl, th tha-Thai, ti tir-Ethi, "
    "tk tuk-Latn, tl tgl-Latn, tn tsn-Latn, to ton, tr tur-Latn, ts tso-Latn, tt tat-Cyrl, tw twi-Latn, ty tah, "
    "ug uig-Arab, uk ukr-Cyrl, ur urd-Arab, uz uzb-Latn, ve ven-Latn, vi vie-Latn, vo vol, wa wln-Latn, wo wol-Latn, "
    "xh xho-Latn, yi yid-Hebr, yo yor-Latn, za zha, zh zho-Hans, zu zul-Latn"
)
"""ISO 639-1 code, then its ISO 639-3 code and the script (ISO 15924) in which it is usually written."""

TAGS: dict[str, str] = {entry[:2]: entry[3:] for entry in _TAGS.split(", ")}


def language_tag(code: str) -> str:
    """The ISO 639-3 code of a language with its usual script; a code that is not known here stays as it is.

    >>> language_tag("ja"), language_tag("pt-BR"), language_tag("fil"), language_tag("")
    ('jpn-Jpan', 'por-Latn', 'fil', '')
    """
    plain = code.replace("_", "-").partition("-")[0].lower()
    of_three = {tag.partition("-")[0]: tag for tag in TAGS.values()}
    return TAGS.get(plain) or of_three.get(plain, plain)
