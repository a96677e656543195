"""Words around a name that say nothing of who bears it: they stay."""

from __future__ import annotations

PREFIXES = frozenset(
    "dr doctor prof professor mr mrs ms miss mx mister sir dame lady lord rev reverend fr father"
    " sister brother hon judge capt captain cpt col gen lt maj sgt officer nurse sra sr srta don"
    " dona herr frau monsieur madame mme mlle pastor rabbi imam chaplain deputy".split()
)
SUFFIXES = frozenset("jr sr ii iii iv junior senior esq".split())
DEGREES = frozenset(
    "md do phd mph rn np pa pac crnp fnp aprn arnp lpn lvn cna msw lcsw lmsw lpc lmft pharmd rph"
    " dds dmd dpm dvm od dpt pt ot otr slp ccc ms msn bsn ma mba mbbs mbchb frcs frcp facs facp"
    " facc faap facog face facr psyd edd rd rdn rt rrt cns cnm crna dnp ba bs bsc msc bch chb mrcp"
    " mrcs fnpbc anpbc pmhnp agnp cct dc nd lac atc emt emtp c bc ms cma rma lmp sw"
    " crrn ccrn cpnp cnp acnp whnp bcps chpn ocn rnc cen otrl".split()
)
PARTICLES = frozenset(
    "af al ap auf aus ben bin bint da dal das de del dela della den der des di do dos du el ibn la"
    " las le les lo los mac mc of och op san santa st ste te ten ter und van vom von y zu zum zur"
    " and or the".split()
)
"""Small words inside names; none is a name by itself."""
TITLE_PARTS = {"prefix": PREFIXES, "suffix": SUFFIXES, "degree": DEGREES | SUFFIXES}
"""Parts of a name that hold titles, and what each may hold."""
