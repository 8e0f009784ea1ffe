PRAGMA application_id = 1650746997;
PRAGMA user_version = 1;
CREATE TABLE journal (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  incarnation TEXT NOT NULL,
  created INTEGER NOT NULL,
  sequence INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO journal VALUES(1,'0b7f3f52-6c53-4a0e-8f5e-3f8f0f6f2d11',1000,1);
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  began INTEGER NOT NULL,
  tray TEXT,
  station TEXT,
  operator TEXT,
  order_number TEXT,
  record TEXT NOT NULL
) STRICT;
INSERT INTO run VALUES(1,'5f0c8c1e-7a53-4d7e-9b0e-0d7d4a1c2b3f',1000,'/trays/line3.yaml','bench 2','Mei','WO-17','{"holds":[],"id":"5f0c8c1e-7a53-4d7e-9b0e-0d7d4a1c2b3f","operatorName":"Mei","orderNumber":"WO-17","sessions":[],"station":"bench 2","tray":"/trays/line3.yaml","units":[]}');
CREATE TABLE session (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  number INTEGER NOT NULL,
  began INTEGER NOT NULL,
  ended INTEGER,
  record TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
INSERT INTO session VALUES(1,1,1000,90000,'{"adapters":[{"limit":5,"mostLinks":4,"name":"hci0"}],"began":1000,"checks":[{"level":"ok","message":"12 GB are free","name":"disk"}],"ended":90000,"limitedBy":"connector","number":1,"version":"1.0"}');
CREATE TABLE hold (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  number INTEGER NOT NULL,
  began INTEGER NOT NULL,
  released INTEGER,
  code TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
INSERT INTO hold VALUES(1,1,5000,6000,'golden','{"began":5000,"code":"golden","message":"the first unit failed","released":6000}');
CREATE TABLE unit (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  slot TEXT NOT NULL,
  device TEXT,
  address TEXT,
  identifier TEXT COLLATE NOCASE,
  name TEXT,
  outcome TEXT,
  code TEXT,
  closed INTEGER,
  verdict TEXT,
  record TEXT NOT NULL,
  UNIQUE (run, slot)
) STRICT;
INSERT INTO unit VALUES(1,1,'1','id:N-1','F0:0D:BE:AC:00:00/random','N-1','K6 1','passed',NULL,15000,'{"during":"transferring","message":"m","nextStep":"n","outcome":"passed","state":{"address":"F0:0D:BE:AC:00:00/random","application":"intact","program":"bootloader","words":"w"}}','{"address":"F0:0D:BE:AC:00:00/random","attempts":[],"device":"id:N-1","identifier":"N-1","isGolden":false,"name":"K6 1","slot":"1"}');
INSERT INTO unit VALUES(2,1,'2','id:N-2','F0:0D:BE:AC:00:01/random','N-2','K6 2','failed','link-lost',15000,'{"code":"link-lost","during":"transferring","message":"m","nextStep":"n","outcome":"failed","state":{"address":"F0:0D:BE:AC:00:01/random","application":"intact","program":"bootloader","words":"w"}}','{"address":"F0:0D:BE:AC:00:01/random","attempts":[],"device":"id:N-2","identifier":"N-2","isGolden":false,"name":"K6 2","slot":"2"}');
CREATE TABLE attempt (
  id INTEGER PRIMARY KEY,
  unit INTEGER NOT NULL REFERENCES unit ON DELETE CASCADE,
  number INTEGER NOT NULL,
  session INTEGER NOT NULL,
  began INTEGER NOT NULL,
  address TEXT NOT NULL,
  adapter TEXT NOT NULL,
  file TEXT,
  sha256 TEXT,
  version_before TEXT,
  version_after TEXT,
  verified TEXT,
  outcome TEXT,
  code TEXT,
  record TEXT NOT NULL,
  UNIQUE (unit, number)
) STRICT;
INSERT INTO attempt VALUES(1,1,1,1,2000,'F0:0D:BE:AC:00:00/random','hci0','/firmware/a.zip','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','1.0','2.0','version','passed',NULL,'{"adapter":"hci0","address":"F0:0D:BE:AC:00:00/random","began":2000,"firmware":{"bytes":1000,"kind":"nordic-secure","path":"/firmware/a.zip","sha256":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","version":"2.0"},"number":1,"phases":[{"at":0,"name":"connecting"},{"at":1.5,"name":"transferring"}],"seconds":12.5,"session":1,"speeds":[{"at":2.5,"bytesPerSecond":9876.5}],"transfer":{"average":100,"bytes":1000,"limitedBy":"flash","retries":1,"seconds":10},"verdict":{"during":"transferring","message":"m","nextStep":"n","outcome":"passed","state":{"address":"F0:0D:BE:AC:00:00/random","application":"intact","program":"bootloader","words":"w"}},"verified":"version","versionAfter":"2.0","versionBefore":"1.0","warnings":[{"code":"slow","message":"a \"name\" from the air: \u001b[31m 名"}]}');
INSERT INTO attempt VALUES(2,2,1,1,2000,'F0:0D:BE:AC:00:01/random','hci0','/firmware/a.zip','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','1.0','2.0','version','failed','link-lost','{"adapter":"hci0","address":"F0:0D:BE:AC:00:01/random","began":2000,"firmware":{"bytes":1000,"kind":"nordic-secure","path":"/firmware/a.zip","sha256":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","version":"2.0"},"number":1,"phases":[{"at":0,"name":"connecting"},{"at":1.5,"name":"transferring"}],"seconds":12.5,"session":1,"speeds":[{"at":2.5,"bytesPerSecond":9876.5}],"transfer":{"average":100,"bytes":1000,"limitedBy":"flash","retries":1,"seconds":10},"verdict":{"code":"link-lost","during":"transferring","message":"m","nextStep":"n","outcome":"failed","state":{"address":"F0:0D:BE:AC:00:01/random","application":"intact","program":"bootloader","words":"w"}},"verified":"version","versionAfter":"2.0","versionBefore":"1.0","warnings":[{"code":"slow","message":"a \"name\" from the air: \u001b[31m 名"}]}');
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
  at INTEGER NOT NULL,
  step TEXT NOT NULL,
  address TEXT NOT NULL,
  part INTEGER,
  parts INTEGER,
  sha256 TEXT
) STRICT;
INSERT INTO change VALUES(1,1,2501,'enter-bootloader','F0:0D:BE:AC:00:00/random',NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
INSERT INTO change VALUES(2,1,2502,'update','F0:0D:BE:AC:00:00/random',1,2,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
INSERT INTO change VALUES(3,2,2501,'enter-bootloader','F0:0D:BE:AC:00:01/random',NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
INSERT INTO change VALUES(4,2,2502,'update','F0:0D:BE:AC:00:01/random',1,2,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
CREATE TABLE outbox (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  run INTEGER REFERENCES run ON DELETE CASCADE,
  made INTEGER NOT NULL,
  body TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'sent', 'acknowledged', 'refused', 'dropped')),
  tries INTEGER NOT NULL DEFAULT 0,
  due INTEGER NOT NULL,
  settled INTEGER,
  last_error TEXT,
  UNIQUE (kind, key)
) STRICT;
INSERT INTO outbox VALUES(1,'label','label of 1',1,15000,'{"slot":"1"}','1ae3b47e19a39f765bdacbdd15e62b8a441d1390d4b0f78a44184f67597782fe','waiting',0,15000,NULL,NULL);
CREATE INDEX run_tray ON run (tray);
CREATE INDEX run_order ON run (order_number);
CREATE INDEX session_open ON session (run) WHERE ended IS NULL;
CREATE INDEX unit_device ON unit (device);
CREATE INDEX unit_address ON unit (address);
CREATE INDEX unit_identifier ON unit (identifier);
CREATE INDEX unit_name ON unit (name);
CREATE INDEX unit_open ON unit (run) WHERE outcome IS NULL OR outcome = 'aborted';
CREATE INDEX attempt_address ON attempt (address);
CREATE INDEX attempt_sha256 ON attempt (sha256);
CREATE INDEX change_attempt ON change (attempt);
CREATE INDEX outbox_run ON outbox (run);
CREATE INDEX outbox_open ON outbox (kind, sequence) WHERE state IN ('waiting', 'sent');
CREATE INDEX outbox_state ON outbox (state, sequence);
