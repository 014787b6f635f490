-- Mails that are to go out, written in the transaction of what they are about. New tables alone, so nobody waits.
CREATE TABLE mails (
  mail_id       text COLLATE "C" PRIMARY KEY,
  -- In lower case.
  recipient     text    NOT NULL,
  kind          text    NOT NULL,
  -- Of an invitation to a merchant.
  merchant_id   text    REFERENCES merchants,
  -- Subject and text, sealed, since a link may be in it; gone once the mail has ended.
  sealed        bytea,
  created_at_ms bigint  NOT NULL,
  expires_at_ms bigint  NOT NULL,
  -- Also the fencing token of a claim.
  attempts      integer NOT NULL DEFAULT 0,
  -- Null once it has ended.
  due_at_ms     bigint,
  outcome       text    CHECK (outcome IN ('sent', 'refused', 'expired')),
  CHECK ((due_at_ms IS NULL) = (outcome IS NOT NULL)),
  CHECK ((due_at_ms IS NULL) = (sealed IS NULL))
);
CREATE INDEX mails_due ON mails (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX mails_by_recipient ON mails (recipient, kind, created_at_ms);
CREATE INDEX mails_by_merchant ON mails (merchant_id, created_at_ms) WHERE merchant_id IS NOT NULL;
CREATE INDEX mails_by_age ON mails (created_at_ms);

-- Browsers that a person has signed in with, by the hash of a cookie of their own.
CREATE TABLE known_devices (
  person_id   text COLLATE "C" NOT NULL REFERENCES people,
  device_hash bytea  NOT NULL,
  seen_at_ms  bigint NOT NULL,
  PRIMARY KEY (person_id, device_hash)
);
