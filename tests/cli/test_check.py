"""``deid-adapter check``."""

from __future__ import annotations

import base64
import shutil

import pytest

from adapter.rules.folder import shipped

RULES_UNTESTED = pytest.mark.usefixtures("rules_untested")
"""For tests about other lines: the rules' own tests take most of the command's time."""
ENGLISH = '[rules]\nlanguages = ["en"]\n'
"""Compiles sooner than all that is shipped."""


@pytest.fixture
def rules_untested(monkeypatch):
    """Leave out the rules' own tests."""
    monkeypatch.setattr("adapter.cli.check.rule_failures", lambda _: (1, []))


@pytest.mark.every_language
def test_all_is_well(invoke, settings_file):
    """Keys, rules and the rules' own tests are named, with status 0."""
    result = invoke("check", "--config", settings_file())
    assert 0 == result.exit_code
    named = [line.split(":")[0].split() for line in result.stdout.splitlines()]
    expected = (
        ["ok keys"] * 3
        + ["ok transport", "ok secrets", "ok known", "ok vault", "ok escrow"]
        + ["ok rules"] * 5
        + ["ok rule lines", "ok rule tests", "ok mart maps"]
    )
    assert expected == list(map(" ".join, named))
    assert (
        "ok     rules: en is read by phrases, variants, patterns, attributes, lexicons, crf, "
        "neural\n" in result.stdout
    )
    for code in ("es", "de"):
        assert (
            f"ok     rules: {code} is read by phrases, variants, patterns, attributes, crf, "
            f"neural; without lexicons (no grammar)\n"
        ) in result.stdout


@RULES_UNTESTED
@pytest.mark.parametrize(
    ("added", "result"),
    [
        ("", "kept for each run"),
        ("[known]\nenabled = false\n", "off (known.enabled)"),
        ('transport = "kafka"\n[kafka]\ntopics = ["a"]\n', "off (keys.state and kafka.state)"),
    ],
)
def test_what_is_known_is_told(invoke, tmp_path, added, result):
    """Where earlier messages' phrases are kept, or why none are."""
    file = tmp_path / "adapter.toml"
    key = f'value = "{base64.b64encode(bytes(32)).decode()}"\n'
    kind = "" if "transport" in added else 'transport = "files"\n'
    keys = f'[keys.surrogates]\nid = "s1"\n{key}[keys.quarantine]\nid = "q1"\n{key}'
    file.write_text(f"{kind}{added}{keys}{ENGLISH}")
    assert f"ok     known: {result}" in invoke("check", "--config", file, "--offline").stdout


@pytest.mark.every_language
def test_a_tagger_a_language_goes_without_is_named(invoke, settings_file, rules):
    """A language that asks for no grammar goes without its tagger, and says so."""
    for part in ("sections/es.toml", "languages/es.toml"):
        shutil.copy(rules / part, rules / part.replace("es.", "qx."))
    result = invoke(
        "check", "--config", settings_file('[rules]\nfolder = "rules"\nlanguages = ["en", "qx"]\n')
    )
    assert 0 == result.exit_code
    assert (
        "ok     rules: qx is read by phrases, variants, patterns, attributes; "
        "without lexicons (no grammar); without crf (no model); "
        "without neural (no model)\n"
    ) in result.stdout


@RULES_UNTESTED
def test_a_key_that_cannot_be_read_is_named(invoke, tmp_path):
    """A key is called by its id and source, never by its value."""
    file = tmp_path / "adapter.toml"
    file.write_text('transport = "files"\n[keys.surrogates]\nid = "s1"\nvalue = "c2hvcnQ="\n')
    result = invoke("check", "--config", file)
    assert 1 == result.exit_code
    assert "WRONG  keys: key s1: is not 32 bytes long\n" in result.stdout
    assert "c2hvcnQ=" not in result.output


@RULES_UNTESTED
def test_one_secret_for_two_purposes_is_wrong(invoke, tmp_path):
    """Whoever may open held messages could else tell who is behind a surrogate."""
    file = tmp_path / "adapter.toml"
    key = f'value = "{base64.b64encode(bytes(32)).decode()}"\n'
    keys = f'[keys.surrogates]\nid = "s1"\n{key}[keys.quarantine]\nid = "q1"\n{key}'
    file.write_text(f'transport = "files"\n{keys}{ENGLISH}')
    result = invoke("check", "--config", file)
    line = "WRONG  secrets: keys.surrogates and keys.quarantine: share one secret"
    assert (1, True) == (result.exit_code, line in result.stdout)


@RULES_UNTESTED
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "keys: keys.surrogates: is not set"),
        ("", "transport: kafka.topics: is empty, and kafka.pattern is not set"),
        ('transport = "files"\n', "keys: keys.surrogates: is not set"),
        (
            'transport = "files"\n[files]\ninputs = ["none"]\n',
            "transport: files.inputs: no such file or folder",
        ),
        ('transport = "mllp"\n[mllp]\noutput = "files"\n', "transport: files.quarantine: is not"),
        (
            'transport = "http"\n[http]\ntoken_file = "none"\n',
            "transport: http.token_file: cannot be read",
        ),
    ],
)
def test_what_a_run_would_refuse_is_wrong(invoke, tmp_path, text, wrong):
    """A settings file is read as `run` reads it: over Kafka unless it says otherwise, with keys."""
    file = tmp_path / "adapter.toml"
    file.write_text(f"{text}{ENGLISH}")
    result = invoke("check", "--config", file, "--offline")
    assert (1, True) == (result.exit_code, f"WRONG  {wrong}" in result.stdout)
    assert [file] == list(tmp_path.iterdir())


@RULES_UNTESTED
def test_no_file_of_patient_memory_is_created(invoke, settings_file, tmp_path):
    """Whoever checks may not be the user of the service, who could then not open the file."""
    state = f'[keys.state]\nid = "k"\nvalue = "{base64.b64encode(bytes(32)).decode()}"\n{ENGLISH}'
    file = settings_file()
    file.write_text(f"{file.read_text()}state = 'patients.state'\n{state}")
    assert 0 == invoke("check", "--config", file).exit_code
    assert not (tmp_path / "patients.state").exists()


def test_settings_of_a_mart_need_no_adapter(invoke, tmp_path):
    """Keys, inputs and rulesets are not looked at, and a line says so."""
    file = tmp_path / "mart.toml"
    file.write_text('[mart]\nproject = "stroke"\ntopics = ["a.deid"]\n[kafka]\napp = "m"\n')
    result = invoke("check", "--config", file, "--offline")
    assert 0 == result.exit_code
    note, *others = result.output.splitlines()
    assert "note   settings: of a mart (stroke) only: keys, inputs and rules are not" in note
    assert ["ok     rule lines", "ok     mart maps"] == [line.split(":")[0] for line in others]


@RULES_UNTESTED
def test_a_problem_is_told_once(run_cli, tmp_path):
    """What several checks meet is one line, the others refer to it; nothing of the log is among."""
    file = tmp_path / "adapter.toml"
    file.write_text(f'[kafka]\ntopics = ["a"]\n[keys]\nring = "none.json"\n{ENGLISH}')
    told = run_cli("check", "--config", file, "--offline")
    lines = told.stdout.decode().splitlines()
    assert (1, b"") == (told.returncode, told.stderr)
    assert [f"WRONG  keys: {tmp_path}/none.json: cannot be read (FileNotFoundError)"] == [
        line for line in lines if line.startswith("WRONG")
    ]
    assert 2 <= sum(line.endswith("because of a problem named above") for line in lines)


@RULES_UNTESTED
def test_without_a_file_the_rules_are_checked(invoke):
    """Whoever writes rules needs no keys for it."""
    result = invoke("check")
    assert (0, True) == (result.exit_code, "ok     rules:" in result.stdout)


@RULES_UNTESTED
def test_a_profile_that_is_none_is_named(invoke, settings_file):
    """The setting and the name stand in the line."""
    result = invoke("check", "--config", settings_file(f'{ENGLISH}profile = "loose"\n'))
    assert 1 == result.exit_code
    assert "WRONG  rules: rules.profile: no such profile: 'loose'\n" in result.stdout


@pytest.fixture
def rules(tmp_path):
    """A copy of the shipped rules, to break."""
    return shutil.copytree(shipped("rules"), tmp_path / "rules")


def broken(invoke, settings_file):
    """The lines on what is wrong, after the rules were broken."""
    result = invoke("check", "--config", settings_file(f'{ENGLISH}folder = "rules"\n'))
    assert 1 == result.exit_code
    return [line for line in result.stdout.splitlines() if line.startswith("WRONG")]


@RULES_UNTESTED
def test_a_broken_field_rule_is_named_by_file_and_line(invoke, settings_file, rules):
    """A field that the standard has not is refused where it stands."""
    file = rules / "fields/hl7v2/patient-administration.toml"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    number = lines.index("[PID]\n") + 2
    lines[number - 1] = 'keep = "199"\n'
    file.write_text("".join(lines), "utf-8")
    place = f"rules/fields/hl7v2/patient-administration.toml:{number}"
    (found,) = broken(invoke, settings_file)
    assert f"WRONG  rules: {place}: PID-199 is not a field of HL7 v2" == found


@RULES_UNTESTED
def test_a_broken_profile_is_named_by_file_and_line(invoke, settings_file, rules):
    """An option that cannot be honoured is refused where it stands."""
    file = rules / "profiles/research.toml"
    text = file.read_text("utf-8").replace('zip = "surrogate"', 'zip = "zip4"')
    file.write_text(text, "utf-8")
    number = 1 + text[: text.index('zip = "zip4"')].count("\n")
    found = broken(invoke, settings_file)
    assert found[0].startswith(f"WRONG  rules: rules/profiles/research.toml:{number}: zip ")


def test_a_failing_rule_test_is_named(invoke, settings_file, rules):
    """A pattern's own test that fails names its file and itself."""
    with (rules / "patterns/en/ages.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[[tests]]\nabout = "ours"\nclean = ["a 57-year-old man"]\n')
    (found,) = broken(invoke, settings_file)
    assert found.startswith("WRONG  rule tests: rules/patterns/en/ages.toml")
    assert "'ours'" in found


def test_a_regular_expression_that_is_none_is_named(invoke, settings_file, rules):
    """A pattern that cannot be compiled is named by family and name."""
    with (rules / "patterns/en/ages.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[[pattern]]\nname = "ours"\nlabel = "AGE"\nregex = "("\n')
    assert all("ages.ours" in line for line in broken(invoke, settings_file))


@RULES_UNTESTED
def test_a_line_nobody_can_review_is_named_by_place(invoke, settings_file, rules, tmp_path):
    """A line over 200 characters is refused in the rules and in a site file; one of 200 is not."""
    places = rules / "fields/roles.toml", tmp_path / "our.toml"
    places[1].write_text('format = "hl7v2"\n', "utf-8")
    for file in places:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(f"# {'x' * 198}\n# {'x' * 199}\n")
    numbers = [file.read_text("utf-8").count("\n") for file in places]
    result = invoke(
        "check", "--config", settings_file(f'{ENGLISH}folder = "rules"\nsite = ["our.toml"]\n')
    )
    assert 1 == result.exit_code
    assert [
        f"WRONG  rule lines: {places[1]}:{numbers[1]}: is longer than 200 characters",
        f"WRONG  rule lines: rules/fields/roles.toml:{numbers[0]}: is longer than 200 characters",
    ] == [line for line in result.stdout.splitlines() if line.startswith("WRONG")]


@RULES_UNTESTED
def test_site_rules_are_checked(invoke, settings_file, tmp_path):
    """A site file is named as the settings name it, with the line."""
    site = tmp_path / "our.toml"
    site.write_text('format = "hl7v2"\n\n[ZPI]\nkepe = "1"\n')
    result = invoke("check", "--config", settings_file(f'{ENGLISH}site = ["our.toml"]\n'))
    assert 1 == result.exit_code
    assert f"WRONG  rules: {site}:4: unknown list 'kepe'" in result.stdout


@RULES_UNTESTED
def test_ring_and_vault_are_told(invoke, tmp_path):
    """Check says which keys the ring has for the project, who may read it, and how many codes."""
    ring, file = tmp_path / "ring.json", tmp_path / "adapter.toml"
    invoke("keys", "ring", ring, "--domain", "stroke")
    file.write_text(
        f'transport = "files"\n{ENGLISH}[keys]\nring = "ring.json"\ndomain = "stroke"\n'
        '[files]\ninputs = ["-"]\n[vault]\nurl = "sqlite:///v.db"\n'
    )
    result = invoke("check", "--config", file)
    assert 0 == result.exit_code
    assert "ok     keys: ring, domain stroke: 4 active\n" in result.stdout
    assert "ok     keys: surrogates (stroke-surrogates-1) is readable\n" in result.stdout
    signed = "audit records are chained and signed (stroke-audit-1)"
    assert f"ok     keys: {signed}\n" in result.stdout
    assert "ok     vault: 0 random codes\n" in result.stdout
    ring.chmod(0o640)
    result = invoke("check", "--config", file)
    assert 1 == result.exit_code
    assert "ring.json: can be read or changed by other users" in result.stdout


@RULES_UNTESTED
def test_a_vault_out_of_reach_is_wrong(invoke, tmp_path):
    """A vault that does not open fails the check, by its setting."""
    file = tmp_path / "adapter.toml"
    file.write_text(
        f'transport = "files"\n{ENGLISH}[keys]\n[vault]\nurl = "sqlite:///no/such/v.db"\n'
    )
    result = invoke("check", "--config", file)
    assert 1 == result.exit_code
    assert "WRONG  vault: vault.url: the database cannot be opened or used\n" in result.stdout
