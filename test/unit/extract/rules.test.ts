/** What the rules read from made-up minutes, one text for each way in which clerks write. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeCases, extract } from './describe.ts';

const STYLES: readonly (readonly [what: string, file: string, cases: readonly string[]])[] = [
  [
    'all of a document in one line, as a portal shows it',
    'portalLine',
    ['24031 · recommended_approval · Orr/Tine · 4-0 · ', '24032 · denied · Sand/Tine · 4-0 · ', '1153 · denied · Orr/Tine · unanimous · '],
  ],
  [
    'headings that end alike, conditions with lists of their own, and a motion that is said twice',
    'headingsByTheirEnds',
    [
      '24-074 · approved_with_conditions · Tine/Sand · 2-1 · Orr Sand -Tine · 3 conditions',
      '24-051 · approved_with_conditions · Sand/B. Tine · 3-0 · Orr Sand Tine · 1 conditions',
      '24-076 · continued · Orr/Sand · 3-0 · ',
    ],
  ],
  [
    'a table of actions that lost its columns',
    'actionsWithoutColumns',
    [
      'rezoning 12 acres on Oak Road from A-1 t · approved · / · 6-1 · -Tine',
      'Special use permit for a day care at 9 E · continued · / ·  ·  · again 2018-08-20',
      'Preliminary plat, Quail Hill Phase 2, 44 · denied · / · 5-2 · ',
    ],
  ],
  [
    'requests that somebody tells of, and one on which no action is taken',
    'requestsInTalk',
    [
      'Ed Gow of Fern Engineering was present r · approved · Sand/Tine ·  · ',
      'Jay Ash asked the board about a time ext · approved · Tine/Sand ·  · ',
      'Harvest Hill Subdivision - 12-lot cluste · none · / ·  · ',
      'Fern Self Storage - Site Plan · approved · Sand/Tine · 3-0 · ',
      '12-08 · approved · Sand/Tine · 3-0 · ',
      'CU-12-09 · withdrawn · / ·  · ',
    ],
  ],
  [
    'marks that count on over what the board decides, where few items name their kind',
    'itemsWithoutKinds',
    [
      '14 Oak Street, Jane Fern · denied · B. Sand/T. Tine · 4-0 · ',
      '22 Mill Street, Elm Holdings · approved · T. Tine/D. Gow · 4-0 · ',
      'Demolition of rear shed · approved · D. Gow/B. Sand · 3-1 · ',
    ],
  ],
  [
    'hearings that ordinals count',
    'hearingsByOrdinals',
    [
      'They want an area variance to put a pole · approved · Mary/Sue · 4-0 · Rob Greg Mary Sue',
      '2nd Hearing: Corner Store, Route 20A, ar · continued · / ·  · ',
    ],
  ],
  [
    'requests that only their motions name',
    'motionsAlone',
    [
      'three variance requests by Dale and Dora · approved · Klein/Hahn · unanimous · ',
      'Conditional Use Permit request by J & J  · approved · Rush/Hahn · unanimous · ',
    ],
  ],
  [
    'hearings that sentences open, and on which nothing was decided',
    'hearingOpened',
    ['Zoning Variance at 9 Lovage Avenue, PIN  · none · / ·  · ', 'A public hearing was held on the rezonin · none · / ·  · '],
  ],
  [
    'who speaks before each line, and a roll call',
    'transcript',
    [
      'Class IV Zoning Permit Z-IV-2017-6 and U · approved_with_conditions · Katayose/Apana · 4-0 · Hoku Katayose Apana Kealoha',
      'Special Management Area Use Permit SMA(U · continued · Hoku/Katayose · 4-0 ·  · again 2017-04-25',
    ],
  ],
  [
    'captions in capitals between the items of the agenda',
    'captions',
    [
      'PZ-24-00031 · approved_with_conditions · HARRIS/NORTH · unanimous · ',
      'PZ-24-00018 · recommended_denial · MANDARA/HARRIS · 3-1 · MANDARA HARRIS -NORTH LUCKEN',
    ],
  ],
  ["one case, in a hearing examiner's paper", 'examinersPaper', ['PL20-0417 · approved_with_conditions · / ·  ·  · 4 conditions']],
  [
    'a form with `Motion by` and `2nd by`',
    'formOfDistrict',
    [
      'REZ2024-001099 · recommended_approval · Lisle/Oakes · unanimous · ',
      'CUP2024-001101 · continued · Oakes/Lisle · unanimous ·  · again 2024-06-13',
    ],
  ],
  [
    'a roll call that names the vote before the member',
    'rollCallReversed',
    [
      'PLZBA202400159 · recommended_approval · Bevan/Gill · 3-1 · Bevan Gill Peter -Harmon ?Bass',
      'PLPLA202400180 · approved_with_conditions · Peter/Harmon · 4-0 · ?Bass · 2 conditions',
    ],
  ],
  [
    'a board of appeals, a motion without a second, a withdrawal',
    'boardOfAppeals',
    [
      "2023-04 · approved_with_conditions · Ebert/Lindqvist · 4-1 · Ebert Lindqvist Marsh O'Dell -Novak ?Ortiz · 1 conditions",
      "2023-05 · denied · O'Dell/Ebert · 3-1-1 · Ebert O'Dell Novak -Marsh ~Lindqvist",
      '2023-06 · withdrawn · / ·  · ',
    ],
  ],
  [
    'a county commission with contracts and one rezoning',
    'countyCommission',
    ['to discuss and/or take action on a reque · approved · Fry/Bolos · 2-1 · Fry Bolos -Hart'],
  ],
  [
    'lines `RESULT`, `MOVER`, `SECONDER`',
    'resultMoverSeconder',
    [
      'ZA-23-011 · recommended_approval · Rita Gomez/Paul Stein · 5-2 · Gomez Stein Abbott Chen Lund -Park -Quist ?Moss',
      'SUP-23-07 · continued · Paul Stein/Ann Abbott · 7-0 · Gomez Stein Abbott Chen Lund Park Quist · again 2023-07-10',
    ],
  ],
  [
    'hearings without numbers, initials, conditions in the sentence',
    'planningBoardOfTown',
    [
      'Site Plan Review, 14 Mill Street, Map 12 · approved_with_conditions · R. Dunn/T. Ames · 4-0 ·  · 3 conditions',
      'Special Permit, 77 Bay Road (Peter Vance · continued · T. Ames/B. Lowe · unanimous ·  · again 2024-05-01',
    ],
  ],
  [
    'a consent agenda, and a substitute motion that fails',
    'substituteMotion',
    [
      'PLAT-24-0032 · approved · Diaz/Webb · 6-0 · ',
      'Z-24-018 · denied · Webb/Diaz · 4-2 · -Ford -Lane',
      'SUP-24-009 · approved_with_conditions · Price/Lane · unanimous · ',
    ],
  ],
  [
    'a hearing examiner',
    'hearingExaminer',
    ['VAR-2024-0003 · approved_with_conditions · / ·  · ', 'CUP-2024-0011 · continued · / ·  ·  · again 2024-03-06'],
  ],
  [
    'favorable and unfavorable recommendations',
    'favorableRecommendation',
    [
      '23-17 · recommended_approval · Eads/Gunn ·  · -Cole',
      '23-18 · continued · Avery/Cole · unanimous · ',
      '23-19 · recommended_denial · Gunn/Eads · 4-0 · Avery Cole Eads Gunn',
    ],
  ],
  [
    'a board of adjustment that votes on findings first',
    'boardOfAdjustment',
    [
      'BOA-09-23 · denied · Crum/Yates · 4-1 · -Lentz',
      'BOA-10-23 · denied · Yates/Lentz · 5-0 · ',
      'BOA-11-23 · continued · Voss/Crum · 5-0 · Pell Yates Crum Voss Lentz · again 2023-10-10',
    ],
  ],
  [
    'a table of items, discussions and actions',
    'layoutTable',
    ['CUP-24-02 · approved_with_conditions · Dell/Crow · 4-0-1 · ~Ford', 'PP-23-11 · continued · Crow/Dell · 5-0 ·  · again 2024-02-21'],
  ],
  ['an agenda', 'agenda', ['2024-18 · none · / ·  · ', '2024-20 · none · / ·  · ']],
  [
    'a borough that carries applications and memorializes others',
    'borough',
    ['2024-07 · approved · Katz/Doyle · 3-1-1 · Katz Doyle -Finn Burke ~Olsen', '2024-09 · continued · / ·  ·  · again 2024-06-03'],
  ],
  [
    'a vote of three counts, of which one is the absent',
    'supervisors',
    [
      'ZMAP-2022-0014 · approved_with_conditions · Bryant/Glass · 7-1 · -Kershner ?Letourneau',
      'SPEX-2023-0009 · continued · Glass/Turner · 4-2 · Bryant Glass Saines Turner -Kershner -Kirchner ?Letourneau · again 2024-04-16',
    ],
  ],
  ['contracts alone', 'noLandUse', []],
  ['a work session', 'workSession', []],
  [
    'lists behind `Voting Yea`',
    'votingYea',
    [
      'Salida Bottling Company Planned Developm · recommended_approval · Judd/Walker · 3-1 · Follet Walker Judd -Bush',
      'Limited Impact Review - 1020 Holman Aven · continued · Bush/Judd · unanimous ·  · again 2024-08-26',
    ],
  ],
  [
    'bare numbers, and a motion to close and table',
    'bareNumbers',
    ['24-0311 · recommended_approval · Byers/Alston · 3-0 ·  · 2 conditions', '24-0312 · continued · Kerr/Byers · 3-0 · '],
  ],
  [
    'a zoning hearing board',
    'zoningHearingBoard',
    [
      '23-11 · approved_with_conditions · Stauffer/Groff · 3-0 ·  · 2 conditions',
      '23-12 · denied · Beck/Stauffer · 2-1 · Beck Stauffer -Groff',
      '23-13 · continued · / ·  ·  · again 2023-12-21',
    ],
  ],
  [
    'action minutes with `M/S`',
    'actionMinutes',
    [
      'PLN2023-00045 · approved_with_conditions · Reyes/Shaw · 4-1 · -Young ?Lowe',
      'PLN2024-00002 · continued · Ito/Young · 5-0 · Ito Reyes Shaw Young Kim ?Lowe',
    ],
  ],
  [
    'a member who casts the negative vote',
    'negativeVoteCast',
    [
      '33012 · approved_with_conditions · Trish Hatch/John Roberts · 5-1 · -Tom Hollingsworth ?George Winn · 2 conditions',
      'Text Amendment - Amend Title 13, Chapter · recommended_approval · John Roberts/Ammon Allen · 5-1 · Ammon Allen Emily Gonzalez -Trish Hatch Tom Hollingsworth John Roberts Jay Thomas',
    ],
  ],
  [
    'a form that only discusses some items',
    'formWithDiscussion',
    [
      'CUP2023-000931 · approved_with_conditions · Chan/Sudweeks · unanimous ·  · 1 conditions',
      'SUB2023-000955 · denied · Sudweeks/Chan ·  · -Taylor',
    ],
  ],
  [
    'the vote before a list of names',
    'voteBeforeNames',
    [
      'PLPLA202400145 · approved_with_conditions · Harding/Bevans · 4-0 · Harding Bevans Hollist Gedge ?Catmull',
      'AMENDING THE MUNICIPAL CODE REGARDING FE · recommended_denial · Gedge/Hollist · 3-1 · -Harding Bevans Hollist Gedge',
    ],
  ],
  ['an agenda without numbers', 'agendaOfCity', ['2023-30 · none · / ·  · ', 'recommendation to the City Council to am · none · / ·  · ']],
  [
    'a table of marks, and headings without numbers',
    'tableOfMarks',
    [
      'ZMA-2024-02 · recommended_approval · Baker/Clark · 3-1 · Adams Baker Clark -Davis ?Evans · 1 conditions',
      'Preliminary Plat - Willow Bend Subdivisi · approved_with_conditions · Clark/Davis · 4-0 · ',
    ],
  ],
  [
    'initials in lists of names',
    'initials',
    [
      'ZBA 2024-003 · approved_with_conditions · R. Moseley/M. Tsao · 4-1 · R. Moseley C. Belanger M. Tsao S. Durham -J. Lambert · 2 conditions',
      'ZBA 2024-004 · continued · J. Lambert/S. Durham · unanimous ·  · again 2024-03-28',
    ],
  ],
  [
    'specks between the lines of a scan, and letters for digits',
    'scanWithSpecks',
    [
      'CU-23-014 · approved_with_conditions · Byrd/Cole · 3-1 · Holt Byrd Cole -Dietz ?Ennis · 2 conditions',
      'RZ-23-009 · recommended_denial · Cole/Dietz · 4-0 · ',
    ],
  ],
  [
    'words that specks of a scan cut, and names behind the numbers',
    'scanOfAppeals',
    ['98-03 · approved · Lamb/Pell · 3-1 · Ort Lamb Pell -Voss ?Reed', '98-04 · continued · Voss/Lamb · unanimous ·  · again 1998-04-02'],
  ],
  [
    'headings of a scan without marks',
    'scanOfCounty',
    [
      'ZC 2019-07 · approved_with_conditions · Ruiz/Tate · 3-0 · Hale Ruiz Tate',
      'SUB 2019-12 · continued · Tate/Ruiz · unanimous ·  · again 2019-07-02',
    ],
  ],
  [
    'the lines of a scan lost',
    'scanWithoutLines',
    ['95-09 · recommended_approval · Lorber/Betz · 4-1 · -COLL', '95-10 · continued · Till/Coll · 5-0 ·  · again 1995-07-25'],
  ],
  [
    'lost lines and `M/S` with a comma',
    'scanOfActions',
    [
      'UP 85-03 · continued · Howe/Christo · 5-0 ·  · again 1985-03-26',
      'Application of Mrs. Dora Lund for a vari · approved_with_conditions · Perrin/Kass · 4-1 · Kass Perrin Christo Howe -Tosh',
    ],
  ],
  [
    'counts and names of votes in many layouts',
    'voteLayouts',
    [
      'SUP-24-31 · approved · Beck/Dorn · 5-1 · -Smith',
      'SUP-24-32 · approved · Beck/Dorn ·  · -Smith',
      'SUP-24-33 · approved · Beck/Dorn · 5-1 · ',
      'SUP-24-35 · approved · Beck/Dorn · 4-1 · ',
      'SUP-24-36 · approved · Beck/Dorn · 4-2 · -Lee -Smith',
      'SUP-24-42 · approved · Beck/Dorn · 6-0-1 · ~Lee',
      'SUP-24-43 · approved · Beck/Dorn · 4-1 · Beck Dorn Lee Moss -Smith',
      'SUP-24-45 · approved · Beck/Dorn · 3-1 · Beck Dorn -Lee Smith',
      'SUP-24-46 · approved · Beck/Dorn · 5-0 · ?Smith',
      'SUP-24-61 · approved · Beck/Dorn · 4-0 · ',
      'SUP-24-62 · approved_with_conditions · Beck/Dorn · 3-2 · -Lee -Smith',
      'SUP-24-63 · approved · BECK/DORN · unanimous · ',
      'SUP-24-64 · approved · Beck/Dorn · 4-1 · -Smith',
      'SUP-24-66 · approved · Beck/Dorn · 3-1 · Beck Dorn Lee -Smith',
      'SUP-24-69 · approved · Beck/Dorn · unanimous · ',
      'SUP-24-70 · approved · Beck/Dorn · 5-0 · ',
      'SUP-24-75 · approved · Beck/Dorn · 5-0 · ',
      'SUP-24-77 · approved · Beck/Dorn · 5-0-1 · ~Smith',
      'SUP-24-78 · approved · Beck/Dorn ·  · -Smith',
    ],
  ],
  [
    'a scan whose lines were joined into one',
    'oneLine',
    [
      'Consider, Discuss, and Possibly Take Act · denied · Glen Jansen/Ramie Hamlin ·  · -Justin Alder',
      'Consider, Discuss, and Possibly Take Act · approved · Justin Alder/Dennis Dolan · unanimous · ',
    ],
  ],
  [
    'a memo of actions with counts',
    'memoOfActions',
    ['PL 19-2081 · approved_with_conditions · / · 5-0 · ', 'PL 20-2011 · denied · / · 3-2 · -Gwan -Leigh'],
  ],
  [
    'titles before names, as in `C/Tong`',
    'rolesBeforeNames',
    ['2006-08 · approved_with_conditions · Tong/Nell · 5-0 · Evert Lee Tong Nell Manus'],
  ],
  [
    'motions and votes in capitals',
    'capitalMotions',
    [
      '92-5 · approved · BIDDLE/COOK · 5-1 · Cook Burgess Biddle Richards Detloff -Inglis ?Gorman',
      '93-21 · continued · RICHARDS/DETLOFF · 6-0 · Cook Burgess Biddle Richards Detloff Inglis ?Gorman · again 1993-07-20',
    ],
  ],
  [
    'lettered items and `Ayes by`',
    'letteredItems',
    [
      'PDEV18-000002 · recommended_approval · KALLEN/RINGER · 4-1 · Flemming Ringer Kallen Tetch -Tillman',
      'DEV18-000010 · continued · TETCH/KALLEN · 5-0 · Flemming Tillman Ringer Kallen Tetch · again 2018-05-14',
    ],
  ],
  [
    'items that a sentence introduces',
    'narrativeItems',
    ['23-11 · recommended_approval · Cole/Ott · 4-1 · -Reese', '23-12 · continued · Ott/Lane · unanimous ·  · again 2023-06-06'],
  ],
  [
    'a table of cases with actions and counts',
    'tableOfCases',
    ['ZBA-24-05 · approved · / · 5-0 · ', 'ZBA-24-06 · denied · / · 2-3 · ', 'ZBA-24-07 · continued · / · 5-0 ·  · again 2024-04-09'],
  ],
  [
    'resolutions that pass upon a roll call',
    'numberedResolutions',
    ['P.C.211-93 · approved · / · 4-0-1 · ~Rainman', 'P.C.212-93 · none · / ·  · ', 'P.C.230-93 · continued · Hunt/Tabb · unanimous · '],
  ],
  [
    'the motion on the line above its mover',
    'motionAboveMover',
    [
      '3260/3288 · approved · Jonathan Sachs/Stephen March · unanimous · ',
      '3301 · continued · Irene Neill/Randy Haller · unanimous ·  · again 2022-07-27',
    ],
  ],
  [
    '`MOVED DENIAL` and `Passed 5 yes`',
    'movedDenial',
    [
      '1153 · denied · Gould/Mull · unanimous · ',
      '1160 · approved_with_conditions · Kell/Secord · 5-1 · Kell Secord Gould Tanner Bell -Mull · 1 conditions',
    ],
  ],
  [
    'letters before the number, a motion on findings first',
    'lettersBeforeNumber',
    [
      'ZOA 08-392 · recommended_approval · Lamont/Schmid · 5-0 · ',
      'CUP 08-310 · continued · Campo/Lamont · 4-1 · -Camp · again 2008-11-18',
    ],
  ],
  [
    'decisions of an examiner',
    'examinersDecisions',
    [
      'PLN19-0012 · approved_with_conditions · / ·  · ',
      'PLN19-0020 · denied · / ·  · ',
      'PLN19-0025 · continued · / ·  ·  · again 2019-06-11',
    ],
  ],
  [
    'paragraphs with title, talk and motion',
    'titledParagraphs',
    [
      'Conditional Use Application - WICO Inc.  · recommended_approval · Hertz/Schmitz ·  · ',
      'Rezone Application - Business Park Lot # · recommended_approval · Schmitz/Herman ·  · ',
    ],
  ],
  [
    'items of a town, `All approved`',
    'itemsOfTown',
    [
      'Joshua Edmunds requested review and appr · denied · Sally Wills/Jim Gilman · unanimous · ',
      'Ann Cole requested a conditional use per · recommended_approval · Kim Mead/Dave Wegener · unanimous ·  · 1 conditions',
    ],
  ],
  [
    'one line of a board of adjustment, votes told one by one',
    'oneLineOfAppeals',
    [
      'a Variance Request concerning setbacks o · approved · Jimmy Evers/Sherry Lewin · 2-1-1 · ~Rodney Dolan -Russell Maddox Jimmy Evers Sherry Lewin',
    ],
  ],
  [
    'paragraphs that begin with what a council considered',
    'councilConsidered',
    ['Council considered conducting a public h · approved · Roope/ · 5-0 · Clarke Cobb Ferrell Reynold Roope'],
  ],
  ['items of business by their number in words', 'itemsOfBusiness', ['ZB 20-05 · recommended_approval · Davita/Moor · unanimous · ']],
  [
    'a vote by names and counts below the motion, which fails',
    'namesBelowVotes',
    [
      'Elizabeth & Kevin Cook, request for rezo · none · Moe/Ginley ·  · ',
      'Ann Hart, conditional use permit for a k · approved · Percy/Mills · 7-0 · ',
    ],
  ],
  [
    'hearing, comments and motion as parts of an item',
    'romanParts',
    [
      'preliminary and final land division appl · recommended_approval · Eaton/Hamman · 6-0 · ',
      'Site Plan for an addition to the clinic  · approved · Fish/Senn · 5-1 · -Brown',
    ],
  ],
  [
    'a resolution that recommends, and a withdrawal',
    'resolutionRecommends',
    ['ZN14-7 · recommended_approval · Firth/Allard · 5-1 · Hunke Tate Allard Firth Kersten -Fishman', 'VN14-2 · withdrawn · / ·  · '],
  ],
  [
    'hearings first and their decisions in later items',
    'hearingsThenActions',
    [
      'Brandt rezone · recommended_approval · Peters/Hahn · 5-0 · ',
      'CUP - Ridge Wireless, W5678 Hwy 18, 190- · approved_with_conditions · Novak/Hahn · 3-2 · Larsen Novak Hahn -Zuehlke -Peters',
      'Land division for Harold Schmidt Trust,  · denied · Peters/Zuehlke · unanimous · ',
    ],
  ],
  [
    'a block of labels and a resolution that a member offers',
    'resolutionOffered',
    [
      '2023-041 · approved_with_conditions · Stern/Caruso · 4-0 · Foley Betts Caruso Stern · 2 conditions',
      'SUBDIVISION - Estate of Helen Voss, Rout · none · Foley/Betts ·  ·  · again 2024-03-11',
      "SIGN PERMIT - Joe's Pizza, 44 Main Stree · approved · Betts/Stern · 4-0 · ",
    ],
  ],
  [
    'the hour of each hearing before it, and a result before its motion',
    'timesOfHearings',
    [
      '44 Upton Road - Special Permit & Varianc · approved_with_conditions · Dunn/Menon · 4-0 · Silverberg Whelan Dunn Menon · 1 conditions',
      '8 Otis Street - Variance · withdrawn · Whelan/Menon · 5-0 · ',
      "Gleason Street Village (40B) - Comprehen · continued · Dunn/O'Rourke · 5-0 ·  · again 2023-02-28",
    ],
  ],
  [
    'headings of permits without numbers, and `M/S/P`',
    'headingsOfPermits',
    [
      'Variance - Dennis and Joan Kroll, 1180 S · approved_with_conditions · Schmitz/Vang · unanimous ·  · 3 conditions',
      'Conditional Use Permit - Northern Aggreg · continued · Olson/Schmitz · 4-0 · ',
      'Interim Use Permit for short-term rental · approved_with_conditions · Schmitz/Peterson · 3-1 · Peterson Schmitz Vang -Olson · 1 conditions',
    ],
  ],
  [
    'a number on a line of its own above each case',
    'numbersAlone',
    [
      '23-14 · approved_with_conditions · Stein/Reese · 5-0 · Jacobs Stein Kowal Reese Dill · 1 conditions',
      '23-15 · continued · Kowal/Jacobs · unanimous · ',
      '23-16 · recommended_approval · Reese/Stein ·  · ',
    ],
  ],
  [
    'items such as `Item 4(a)`',
    'itemsInBrackets',
    [
      'MR24-05 · approved_with_conditions · Cary/Henri · 5-0 · Moore Henri Womack Cary Corbin',
      'CU24-02 · continued · Womack/Corbin · unanimous ·  · again 2024-08-13',
      'V24-01 · withdrawn · / ·  · ',
    ],
  ],
  [
    'marks that count on, over items that name no kind of request',
    'countedItems',
    [
      'Shoreland permit for Paul Dyer, Map 12 L · approved · Tansey/Whitlock · 4-0 · ',
      'Colby Aggregate, Map 6 Lots 10 and 11, P · continued · Coombs/Tansey · 4-0 ·  · again 2024-07-16',
      'Ridge Sun Company, 3 MW, Map 9 Lot 2 · approved · Whitlock/Coombs · 3-1 · ',
      'Home occupation, Ann Lowe, 7 School St., · approved · Tansey/Coombs · unanimous · ',
    ],
  ],
  [
    'headings of one form, times of day',
    'headingsByTimes',
    [
      'SITE PLAN: RIVER MILL · approved · Pelkey/Kantor · 3-0 · ',
      'LAKESHORE PERMIT: DYER, MAP 12 LOT 4 · approved · Kantor/Pelkey · 3-0 · ',
      'EXTENSION REQUEST: TRUMBLE CREEK · approved · Pelkey/Kantor · 2-1 · ',
    ],
  ],
  [
    'what comes of a request, which ends it',
    'outcomeByOutcome',
    [
      'LUB 23-12 · withdrawn · / ·  · ',
      'Chapter 230, Zoning, to permit cultivati · recommended_approval · Whitlock/Tansey · 3-0 · ',
      '24-12 · denied · Whitlock/Tansey · 3-0 · ',
      '24-17 · approved · Tansey/Whitlock · 3-0 · ',
    ],
  ],
  [
    'one motion on several items, and motions below an item that name another one',
    'motionOnSeveral',
    [
      'SUB2024-00041 · approved · NIX/WARD · 8-0 · ',
      'SUB2024-00045 · approved · NIX/WARD · 8-0 · ',
      'CPA-24-017 · recommended_approval · Ward/Nix · 5-1 · ',
      'RZ-24-021 · recommended_denial · Ward/Nix · 4-2 · ',
    ],
  ],
  [
    'a motion that is lost and denies, one on findings, conditions of staff in brackets',
    'lostMotions',
    [
      '23-04 · denied · Ash/Birch · 2-3 · Ash Birch -Cole -Dunn -Elm',
      '23-05 · recommended_denial · Cole/Dunn · 5-0 · ',
      '23-06 · approved_with_conditions · Birch/Elm · 3-2 ·  · 3 conditions',
      '23-07 · continued · Elm/Ash · 5-0 ·  · again 2023-06-13',
    ],
  ],
  [
    'a ruling on two numbers, each decided for itself',
    'twoRulings',
    [
      'SHR23-018 · approved_with_conditions · / ·  · ',
      'VAR23-004 · denied · / ·  · ',
      'CUP23-009 · continued · / ·  ·  · again 2024-02-15',
    ],
  ],
  [
    'ballots behind a motion to hear, `6 - Yes to 0 - No`',
    'ballots',
    [
      'Z-2886 · recommended_approval · Jackson Bogan/Jerry Reynolds · 6-0 · ',
      'Z-2887 · continued · / ·  ·  · again 2023-09-20',
      'S-5144 · approved_with_conditions · / · 5-1 · ',
    ],
  ],
];

const readStyle = (file: string) => readFileSync(path.join(import.meta.dirname, 'minutes', `${file}.txt`), 'utf8');

describe('rules of an extraction', () => {
  for (const [what, file, cases] of STYLES)
    it(`read cases, decisions and votes of minutes with ${what}`, () => {
      assert.deepEqual(describeCases(readStyle(file)), cases);
    });

  it('read the values of a form, whether they stand behind their labels or below them', () => {
    const head = 'PLANNING BOARD\nMinutes of March 12, 2024\n\nPUBLIC HEARINGS\n\n';
    const motion = '\n\nMs. Cray moved to approve Z-24-07. Mr. Bole seconded. Motion passed 5-0.\n';
    const values = [
      ['PETITION NO.', 'Z-24-07'],
      ['PETITIONER', 'Wendell Suggs for Suggs Bros. Hauling'],
      ['LOCATION', 'Sinking Creek Road, 0.4 mi. south of Hwy 64'],
      ['MAP / PARCEL', 'Map 062K, Group B, Parcel 008.00'],
      ['FROM / TO', 'A-1 (Agriculture) / I-1 (Light Industrial)'],
      ['PURPOSE', 'Rezoning for a truck yard'],
      ['ACRES', '31.9'],
      ['LOTS', '87'],
      ['STAFF RECOMMENDATION', 'Approve, subject to the comments below'],
    ];
    for (const [between, last] of [
      [': ', '\n'],
      [':\n', '\n'],
    ] as const) {
      const form = values.map(([label, value]) => `${label}${between}${value}`).join(last);
      const [one, ...others] = extract(`${head}${form}${motion}`).cases;
      assert.deepEqual(
        [one?.caseNumbers[0]?.value, one?.contacts[0]?.name, one?.contacts[0]?.company, one?.address?.value, one?.parcelNumbers[0]?.value],
        [
          'Z-24-07',
          'Wendell Suggs',
          'Suggs Bros. Hauling',
          'Sinking Creek Road, 0.4 mi. south of Hwy 64',
          'Map 062K, Group B, Parcel 008.00',
        ],
      );
      assert.deepEqual(
        [one?.existingZoning?.value, one?.proposedZoning?.value, one?.acreage?.value, one?.lots?.value, one?.staffRecommendation?.value],
        ['A-1 (Agriculture)', 'I-1 (Light Industrial)', 31.9, 87, 'approval_with_conditions'],
      );
      assert.deepEqual([one?.title?.value, one?.decision?.value, others], ['Rezoning for a truck yard', 'approved', []]);
    }
  });

  it('join what a hearing states with the vote on it in a later part of the meeting', () => {
    const text = `PLANNING COMMISSION\nMarch 20, 2024\n\nPUBLIC HEARINGS\n\nPSUP 24-02, Birchmere Veterinary PLC, 6120 Tolles Road\n\nMs. Skutnik reviewed the request for a special land use, parcel 33-12-14-300-021, zoned RS-2.\n\nPublic hearing closed at 7:21 p.m.\n\nBUSINESS SESSION\n\nA. PSUP 24-02\n\nMoved by VanDeCar, supported by Mossburg, to approve PSUP 24-02.\nYES: Trudell, VanDeCar, Mossburg\nNO: MS. HAAS\nMotion carried 3-1.\n`;
    const [one, ...others] = extract(text).cases;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [one?.decision?.value, one?.address?.value, one?.existingZoning?.value, one?.parcelNumbers[0]?.value, one?.contacts[0]?.name],
      ['approved', '6120 Tolles Road', 'RS-2', '33-12-14-300-021', 'Birchmere Veterinary PLC'],
    );
    assert.deepEqual(
      one?.motions[0]?.votes.map(({ name, vote }) => [name, vote]),
      [...['Trudell', 'VanDeCar', 'Mossburg'].map((name) => [name, 'yes']), ['HAAS', 'no']],
    );
  });

  it('read motions that name two members and no verb', () => {
    const text = `ZONING BOARD OF ADJUSTMENT\nMinutes of March 11, 2025\n\nMinutes 2/11/25 - Tjaden/Marsh-Oberle to approve. 4-0.\n\n1) 25-02 Side yard variance, 418 Elevator St.\n   Staff is in favor.\n   Marsh-Oberle/Fenske to grant as asked. 4-0.\n\n2) 25-03 Billboard height, Hwy 30 E\n   Fenske/Marsh-Oberle to deny. 3-1.\n\nMs. Ode moved to adjourn, seconded by Mr. Tjaden. Motion carried.\n`;
    assert.deepEqual(describeCases(text), [
      '25-02 · approved · Marsh-Oberle/Fenske · 4-0 · ',
      '25-03 · denied · Fenske/Marsh-Oberle · 3-1 · ',
    ]);
  });

  it('state every value by words of the text', () => {
    for (const [, file] of STYLES) {
      const text = readStyle(file);
      for (const one of extract(text).cases)
        for (const stated of [
          one.title,
          one.address,
          one.decision,
          one.acreage,
          one.existingZoning,
          ...one.caseNumbers,
          ...one.contacts,
          ...one.conditions,
        ]) {
          if (!stated) continue;
          const quote = text.slice(stated.start, stated.end);
          assert.match(quote, /\S/);
          if ('name' in stated) assert.equal(quote.replace(/\s+/g, ' '), stated.name);
        }
    }
  });

  it('read the values of a request', () => {
    const [one] = extract(readStyle('resultMoverSeconder')).cases;
    assert.equal(one?.acreage?.value, 12.4);
    assert.equal(one?.units?.value, 84);
    assert.equal(one?.existingZoning?.value, 'Neighborhood Commercial (NC)');
    assert.equal(one?.proposedZoning?.value, 'Planned Unit Development (PUD)');
    assert.equal(one?.address?.value, '900 River Road');
    assert.equal(one?.requestType, 'rezoning');
    assert.deepEqual(
      one?.contacts.map(({ role, name }) => [role, name]),
      [
        ['applicant', 'Smith & Sons Builders, LLC'],
        ['representative', 'Dana Wu of Wu Engineering'],
      ],
    );
  });

  it('complete an item that decides with what its hearing states', () => {
    const [one] = extract(readStyle('hearingsThenActions')).cases;
    assert.deepEqual(
      [one?.address?.value, one?.parcelNumbers[0]?.value, one?.contacts[0]?.name, one?.acreage?.value, one?.existingZoning?.value],
      ['N1234 County Road K', '014-0456-000', 'Tom and Lisa Brandt', 3.2, 'A-1'],
    );
  });

  it('read numbers, codes and names that a scan has parted', () => {
    const [one, other] = extract(readStyle('scanWithSplitNumbers')).cases;
    assert.deepEqual(
      [one?.acreage?.value, one?.units?.value, one?.squareFootage?.value, one?.proposedZoning?.value, other?.acreage?.value],
      [2.3, 12, 2500, 'Residential (R-12)', 0.5],
    );
    assert.deepEqual(
      one?.parcelNumbers.map(({ value }) => value),
      ['766-676-4992', '802-655-7397'],
    );
    assert.match(one?.title?.value ?? '', /Willa C\. Stone requests/);
    assert(
      one?.landUses.every(({ type }) => type === 'residential'),
      'what a plan suggests is no use of the case',
    );
  });

  it('read what staff recommend in each usual wording, and not what others do', () => {
    assert.deepEqual(
      extract(readStyle('staffAdvice')).cases.map(({ staffRecommendation }) => staffRecommendation?.value ?? null),
      [
        'approval_with_conditions',
        'denial',
        'approval',
        'approval_with_conditions',
        'denial',
        'approval_with_conditions',
        'continuance',
        'approval',
        'approval_with_conditions',
        'approval',
        'denial',
        null,
      ],
    );
  });

  it('read the conditions of a motion from lists, sentences and cells, and those of staff where it adopts them', () => {
    const counts = extract(readStyle('conditionLists')).cases.map(({ conditions }) => conditions.length);
    assert.deepEqual(counts, [3, 3, 1, 2, 3, 2, 3, 2]);
  });

  it('read zones and titles without the words around them', () => {
    const read = (words: string) =>
      extract(
        `MINUTES\nPlanning Commission\nMay 2, 2024\nThe meeting was called to order at 6:00 p.m.\n\n1. ${words}\n\nMs. Lee moved to recommend approval. Mr. Ray seconded. The motion passed 5-0.\n`,
      ).cases.map(({ title, existingZoning, proposedZoning }) => [title?.value, existingZoning?.value, proposedZoning?.value])[0];
    assert.deepEqual(read('Discussion and Recommendation to the City Council on a rezoning at 9 Elm Street from A-1 to PO - 2091'), [
      'rezoning at 9 Elm Street from A-1 to PO - 2091',
      'A-1',
      'PO',
    ]);
    assert.equal(
      read('Rezoning by Oak LLC at 9 Elm Street.\nCurrent zoning: Regional Commercial. The land is vacant.')?.[1],
      'Regional Commercial',
    );
  });

  it('doubt a figure that the text states twice and differently', () => {
    const { cases } = extract(
      'MINUTES\nPlanning Commission\nMay 2, 2024\nThe meeting was called to order at 6:00 p.m.\n\n1. Request by Oak LLC to rezone 4 acres at 9 Elm Street for 12 townhomes. The site of 5 acres is vacant.\n\nMs. Lee moved to approve the request. Mr. Ray seconded. The motion passed 5-0.\n',
    );
    assert.deepEqual(
      cases[0]?.doubts.map(({ field }) => field),
      ['acreage'],
    );
  });

  it('read no case from another language, an error page, or a text of no meeting', () => {
    const texts = [
      'Acta de la sesión ordinaria de la comisión de planificación. Los comisionados aprobaron por unanimidad la solicitud de rezonificación presentada por el propietario del terreno ubicado en la calle principal, con las condiciones que recomendó el personal técnico del municipio durante la audiencia pública celebrada el martes.',
      '404 Not Found. The page you requested was not found on this server. Please check the address or return to the home page of the city, where you can search for agendas and minutes of the planning commission and other boards.',
      'The annual report of the library lists loans by branch and month. Loans of books for children rose by a tenth, those of maps fell. The next report will be published in March, together with that of the archive and of the museum.',
      '',
    ];
    for (const text of texts) {
      const { kind, cases, doubts } = extract(text);
      assert.deepEqual([kind, cases, doubts.length], ['other', [], 1], text.slice(0, 40));
    }
  });

  it('decide nothing where a motion to approve failed and the text does not say what follows', () => {
    const minutes = (end: string) =>
      `BOARD OF APPEALS\nMINUTES OF MAY 9, 2023\n\nThe meeting was called to order at 7 pm.\n\nCASE NO. 23-04\nVariance request of Tom Gow, 12 Elm Street.\nMr. Ash moved, Mr. Birch seconded, to grant the variance. Ayes: Ash, Birch. Nays: Cole, Dunn, Elm. Motion failed 2-3.${end}\n\nMeeting adjourned.\n`;
    const [open, denied] = ['', ' The variance is denied.'].map((end) => extract(minutes(end)).cases[0]);
    assert.deepEqual(
      [open?.decision, open?.doubts],
      [null, [{ field: 'decision', reasons: ['a motion to approve failed, and no other one carried'] }]],
    );
    assert.deepEqual([denied?.decision?.value, denied?.doubts], ['denied', []]);
  });

  it('doubt the day of a text that holds two meetings', () => {
    const one = (day: string) =>
      `MINUTES OF THE PLANNING COMMISSION\n${day}\n\nChair Lee called the meeting to order at 7:00 p.m.\n\nMr. Ray moved to approve the minutes. Ms. Poe seconded. The motion carried.\n\nThe meeting adjourned at 8:00 p.m.\n\n`;
    const { doubts } = extract(one('May 1, 2024') + one('May 15, 2024'));
    assert.match(JSON.stringify(doubts), /several meetings: 2024-05-01, 2024-05-15/);
  });
});
