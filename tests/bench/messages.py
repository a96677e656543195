"""The two invented messages that quoted speeds refer to."""

from __future__ import annotations

ADT = (
    b"MSH|^~\\&|REGISTRATION|LAKESIDE|EHR|LAKESIDE|20240311142233||ADT^A01^ADT_A01|MSG0048213|P|2.5.1\r"
    b"EVN|A01|20240311142200|||77121^Hollings^Petra|20240311142000\r"
    b"PID|1||40088213^^^LAKESIDE^MR~987-65-4329^^^USSSA^SS||Lindgren^Halvar^Nils^^Mr||19530218|M|||"
    b"88 Birch Hollow Rd^^Two Harbors^MN^55616^USA^H||2185550171^PRN^PH^^1^218^5550171|"
    b"2185550190^WPN|en|M|LUT|V40077213^^^LAKESIDE^AN|987-65-4329|||N|||||||N\r"
    b"PD1|||Two Harbors Family Clinic^^4411|5521^Wentmore^Tobias^^^Dr^MD\r"
    b"NK1|1|Lindgren^Maren^K|DAU^Daughter|88 Birch Hollow Rd^^Two Harbors^MN^55616|2185550148|||EC\r"
    b"NK1|2|Lindgren^Oskar|SON^Son|12 Canal St^^Duluth^MN^55802|2185550111||EC\r"
    b"PV1|1|I|4N^412^A^LAKESIDE|E|||5510^Raghuram^Priya^^^Dr^MD|5521^Wentmore^Tobias^^^Dr^MD|"
    b"9917^Moreau^Ansel^^^Dr^MD|CAR||||7|||5510^Raghuram^Priya^^^Dr^MD|IP|V40077213^^^LAKESIDE^VN|"
    b"MCR|||||||||||||||||||LAKESIDE||A|||20240311141500\r"
    b"AL1|1|DA|70618^Penicillin^RXNORM|MO|Hives\r"
    b"DG1|1||I50.23^Acute on chronic systolic heart failure^I10|||A\r"
    b"IN1|1|MCR01^Medicare A|0042|Medicare|PO Box 6704^^Fargo^ND^58108|||||||20180201||||"
    b"Lindgren^Halvar|SEL|19530218\r"
)

NOTE = """DISCHARGE LETTER - Lakeside Regional Medical Center, Cardiac Unit
Name: Lindgren, Halvar N.   MRN: 40-088-213   Born: 02/18/1953
In: 03/11/2024   Out: 03/17/2024   Attending: Priya Raghuram, MD

Mr. Lindgren, a 71-year-old retired machinist, has had a weak pump since an infarct in the fall of 2016.
His daughter Maren sent him in when his boots would not go on any more. He was up six kilograms since
Valentine's Day, two steps winded him, and he slept in a chair. He admits to smoked fish every night and
to having skipped bumetanide during a fishing trip to Duluth. No chest pain, no fainting, no fever.
Blood pressure 92/54, heart rate 108 and irregular, saturation 91 percent on room air, strength 5/5.

COURSE: 1. Heart failure. Bumetanide drip, almost eight liters off in five days, weight from 97 to 88.
BNP fell from 1,910 to 640. Metoprolol was stopped for two days and begun again at half the dose. Echo on
3/12 showed an ejection fraction of 28 percent, unchanged from June 2023. Dr. Raghuram spoke with him about
a defibrillator, and Mr Lingdren wants to think it over. Foley catheter out on the second day.
2. Mechanical valve clicks well, INR 2.8 on 3/16 with heparin in between.
3. Creatinine 2.1 at its worst, 1.6 at the door.
4. Pseudogout of the right knee on 3/14, one injection, walks again with a cane.

PLAN: Home with Maren. Arrowhead Visiting Nurses begin on Tuesday and will ring 218-555-0171, or else
Maren Lindgren at (218) 555-0148. Blood test on Friday at Two Harbors Family Clinic. He sees Dr. Wentmore
on 03/28/2024 at 0940. Letter to 88 Birch Hollow Rd, Two Harbors, MN 55616. No salt, daily weights, and back
at once with three pounds in a day, bleeding, or fever. He understood and was glad to go. Stable today.

Dictated by: Ansel Moreau, PA-C for P. Raghuram   Job 551208   Electronically signed 03/17/24 16:52"""

ORU = "".join(
    [ADT.decode().split("AL1|")[0].replace("ADT^A01^ADT_A01", "ORU^R01^ORU_R01")]
    + [
        (
            "OBR|1|P4471^LAKESIDE|F88120^LAKESIDE|11490-0^Discharge summary^LN|||20240317160000"
            "|||||||||5510^Raghuram^Priya^^^Dr^MD||||||20240317165200|||F\r"
        )
    ]
    + [f"OBX|{n}|TX|11490-0^Discharge summary^LN|1|{line}||||||F\r" for n, line in enumerate(NOTE.splitlines(), 1)]
).encode()  # fmt: skip
