-- A store of version 1: its tables, and a small project in the middle of work.
CREATE TABLE meta (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE projects (
    name TEXT NOT NULL,
    task TEXT NOT NULL,
    title TEXT NOT NULL,
    options TEXT NOT NULL,
    raters_per_item INTEGER NOT NULL,
    most_per_rater INTEGER,
    attention_every INTEGER NOT NULL,
    batches_open INTEGER NOT NULL,
    lease_seconds INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    created FLOAT(53) NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE instructions (
    project TEXT NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    created FLOAT(53) NOT NULL,
    PRIMARY KEY (project, version),
    FOREIGN KEY(project) REFERENCES projects (name)
);

CREATE TABLE items (
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    stratum TEXT NOT NULL,
    batch INTEGER NOT NULL,
    place INTEGER NOT NULL,
    wanted INTEGER,
    taken INTEGER NOT NULL,
    PRIMARY KEY (project, name),
    FOREIGN KEY(project) REFERENCES projects (name),
    CONSTRAINT not_over_wanted CHECK (taken >= 0 AND (wanted IS NULL OR taken <= wanted))
);

CREATE INDEX items_open ON items (project, batch, taken);

CREATE TABLE log (
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    at FLOAT(53) NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    PRIMARY KEY (project, number),
    FOREIGN KEY(project) REFERENCES projects (name)
);

CREATE TABLE raters (
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    external TEXT NOT NULL,
    number INTEGER NOT NULL,
    joined FLOAT(53) NOT NULL,
    PRIMARY KEY (project, name),
    FOREIGN KEY(project) REFERENCES projects (name)
);

CREATE TABLE contents (
    project TEXT NOT NULL,
    item TEXT NOT NULL,
    content TEXT NOT NULL,
    hidden TEXT NOT NULL,
    expected TEXT,
    PRIMARY KEY (project, item),
    FOREIGN KEY(project, item) REFERENCES items (project, name)
);

CREATE TABLE work (
    project TEXT NOT NULL,
    item TEXT NOT NULL,
    rater TEXT NOT NULL,
    state TEXT NOT NULL,
    given FLOAT(53) NOT NULL,
    due FLOAT(53) NOT NULL,
    reason TEXT NOT NULL,
    flagged INTEGER NOT NULL,
    PRIMARY KEY (project, item, rater),
    FOREIGN KEY(project, item) REFERENCES items (project, name),
    FOREIGN KEY(project, rater) REFERENCES raters (project, name)
);

CREATE INDEX work_due ON work (project, state, due);

CREATE INDEX work_of_rater ON work (project, rater, state);

CREATE TABLE judgements (
    project TEXT NOT NULL,
    item TEXT NOT NULL,
    rater TEXT NOT NULL,
    revision INTEGER NOT NULL,
    answer TEXT NOT NULL,
    given FLOAT(53) NOT NULL,
    seconds FLOAT(53),
    remark TEXT NOT NULL,
    request TEXT NOT NULL,
    instructions INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (project, item, rater, revision),
    FOREIGN KEY(project, item, rater) REFERENCES work (project, item, rater),
    CONSTRAINT one_per_request UNIQUE (project, rater, request)
);

INSERT INTO "meta" VALUES('schema_version','1');
INSERT INTO "meta" VALUES('made','1001.0');
INSERT INTO "projects" VALUES('p','verify','A title','{}',2,NULL,4,1,1800,0,1002.0);
INSERT INTO "instructions" VALUES('p',1,'# Read this',1002.0);
INSERT INTO "instructions" VALUES('p',2,'# Read this, too',1003.0);
INSERT INTO "items" VALUES('p','q0',0,'s0',0,1,2,1);
INSERT INTO "items" VALUES('p','q1',1,'s1',0,2,2,2);
INSERT INTO "items" VALUES('p','q2',2,'s0',0,4,2,0);
INSERT INTO "items" VALUES('p','q3',3,'s1',1,0,2,0);
INSERT INTO "items" VALUES('p','a0',4,'',0,3,NULL,0);
INSERT INTO "contents" VALUES('p','q0','{"hypothesis":"It is so.","premise":"It''s text 0."}','{"gold":"E"}',NULL);
INSERT INTO "contents" VALUES('p','q1','{"hypothesis":"It is so.","premise":"It''s text 1."}','{"gold":"E"}',NULL);
INSERT INTO "contents" VALUES('p','q2','{"hypothesis":"It is so.","premise":"It''s text 2."}','{"gold":"E"}',NULL);
INSERT INTO "contents" VALUES('p','q3','{"hypothesis":"It is so.","premise":"It''s text 3."}','{"gold":"E"}',NULL);
INSERT INTO "contents" VALUES('p','a0','{"hypothesis":"It is so.","premise":"It''s text 9."}','{}','{"label":"C"}');
INSERT INTO "raters" VALUES('p','ann','active','worker-1',0,1004.0);
INSERT INTO "raters" VALUES('p','ben','active','',1,1005.0);
INSERT INTO "raters" VALUES('p','cat','blocked','',2,1006.0);
INSERT INTO "work" VALUES('p','q0','ann','done',1007.0,2807.0,'',0);
INSERT INTO "work" VALUES('p','a0','ann','done',1009.0,2809.0,'',0);
INSERT INTO "work" VALUES('p','a0','ben','skipped',1012.0,2812.0,'unclear',1);
INSERT INTO "work" VALUES('p','q1','ben','done',1014.0,2814.0,'',0);
INSERT INTO "work" VALUES('p','q2','cat','done',1016.0,2816.0,'',0);
INSERT INTO "work" VALUES('p','q1','ann','leased',1019.0,2819.0,'',0);
INSERT INTO "judgements" VALUES('p','q0','ann',0,'{"label":"E"}',1008.0,1.0,'hm','k0',2,'counts');
INSERT INTO "judgements" VALUES('p','a0','ann',0,'{"label":"E"}',1010.0,1.0,'hm','k1',2,'revised');
INSERT INTO "judgements" VALUES('p','a0','ann',1,'{"label":"N"}',1011.0,2.0,'','k9',2,'counts');
INSERT INTO "judgements" VALUES('p','q1','ben',0,'{"label":"C"}',1015.0,1.0,'','b',2,'counts');
INSERT INTO "judgements" VALUES('p','q2','cat',0,'{"label":"C"}',1017.0,1.0,'','c',2,'void');
INSERT INTO "log" VALUES('p',1,1002.0,'owner','project made','{"task":"verify"}');
INSERT INTO "log" VALUES('p',2,1002.0,'owner','items added','{"items":5}');
INSERT INTO "log" VALUES('p',3,1003.0,'owner','project changed','{}');
INSERT INTO "log" VALUES('p',4,1004.0,'ann','joined','{}');
INSERT INTO "log" VALUES('p',5,1005.0,'ben','joined','{}');
INSERT INTO "log" VALUES('p',6,1006.0,'cat','joined','{}');
INSERT INTO "log" VALUES('p',7,1008.0,'ann','judged','{"item":"q0"}');
INSERT INTO "log" VALUES('p',8,1010.0,'ann','judged','{"item":"a0"}');
INSERT INTO "log" VALUES('p',9,1011.0,'ann','revised','{"item":"a0"}');
INSERT INTO "log" VALUES('p',10,1013.0,'ben','flagged','{"item":"a0"}');
INSERT INTO "log" VALUES('p',11,1015.0,'ben','judged','{"item":"q1"}');
INSERT INTO "log" VALUES('p',12,1017.0,'cat','judged','{"item":"q2"}');
INSERT INTO "log" VALUES('p',13,1018.0,'owner','rater blocked','{"judgements":1,"rater":"cat","reason":"spam"}');
