-- The people of the dashboard: how they sign in, what they may do for which merchant, and what they did.
-- New tables alone, so nobody waits.
CREATE TABLE people (
  person_id     text COLLATE "C" PRIMARY KEY,
  -- In lower case.
  email         text    NOT NULL UNIQUE CHECK (email = lower(email)),
  name          text    NOT NULL,
  is_operator   boolean NOT NULL DEFAULT false,
  created_at_ms bigint  NOT NULL
);

CREATE TABLE credentials (
  person_id            text COLLATE "C" PRIMARY KEY REFERENCES people,
  -- With its salt and its cost.
  password_hash        text   NOT NULL,
  -- Sealed. The pending one counts once a code of it was shown.
  totp_secret          bytea,
  totp_pending         bytea,
  totp_last_step       bigint NOT NULL DEFAULT -1,
  totp_failures        integer NOT NULL DEFAULT 0,
  totp_locked_until_ms bigint NOT NULL DEFAULT 0
);

CREATE TABLE recovery_codes (
  person_id  text COLLATE "C" NOT NULL REFERENCES people,
  code_hash  bytea NOT NULL,
  used_at_ms bigint,
  PRIMARY KEY (person_id, code_hash)
);

-- Wrong passwords by the hash of the e-mail, whether there is an account of it or not.
CREATE TABLE sign_in_attempts (
  email_hash      bytea   PRIMARY KEY,
  failures        integer NOT NULL,
  locked_until_ms bigint  NOT NULL,
  at_ms           bigint  NOT NULL
);
CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts (at_ms);

CREATE TABLE dashboard_sessions (
  session_id       text COLLATE "C" PRIMARY KEY,
  -- SHA-256 of the token that the cookie carries.
  token_hash       bytea  NOT NULL UNIQUE,
  person_id        text COLLATE "C" NOT NULL REFERENCES people,
  stage            text   NOT NULL CHECK (stage IN ('code-needed', 'enrolment-needed', 'signed-in')),
  created_at_ms    bigint NOT NULL,
  seen_at_ms       bigint NOT NULL,
  expires_at_ms    bigint NOT NULL,
  step_up_until_ms bigint NOT NULL DEFAULT 0,
  address          text   NOT NULL,
  user_agent       text   NOT NULL
);
CREATE INDEX dashboard_sessions_by_person ON dashboard_sessions (person_id);
CREATE INDEX dashboard_sessions_by_end ON dashboard_sessions (expires_at_ms);

CREATE TABLE memberships (
  merchant_id text NOT NULL REFERENCES merchants,
  person_id   text COLLATE "C" NOT NULL REFERENCES people,
  role        text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'finance', 'viewer')),
  since_ms    bigint NOT NULL,
  PRIMARY KEY (merchant_id, person_id)
);
CREATE INDEX memberships_by_person ON memberships (person_id);

CREATE TABLE invitations (
  invitation_id text COLLATE "C" PRIMARY KEY,
  -- SHA-256 of the token in the link.
  token_hash    bytea  NOT NULL UNIQUE,
  email         text   NOT NULL CHECK (email = lower(email)),
  -- Of a merchant's member both, of an operator neither.
  merchant_id   text   REFERENCES merchants,
  role          text   CHECK (role IN ('owner', 'admin', 'developer', 'finance', 'viewer')),
  -- Null for the command line.
  invited_by    text COLLATE "C" REFERENCES people,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  CHECK ((merchant_id IS NULL) = (role IS NULL))
);
CREATE INDEX invitations_by_merchant ON invitations (merchant_id) WHERE merchant_id IS NOT NULL;

-- Each entry's hash covers its text and the hash before it.
CREATE TABLE audit_log (
  sequence    bigint PRIMARY KEY,
  at_ms       bigint NOT NULL,
  person_id   text COLLATE "C" REFERENCES people,
  operation   text   NOT NULL,
  merchant_id text   REFERENCES merchants,
  subject     text   NOT NULL,
  detail      text   NOT NULL,
  address     text   NOT NULL,
  hash        bytea  NOT NULL
);
CREATE INDEX audit_log_by_merchant ON audit_log (merchant_id, sequence) WHERE merchant_id IS NOT NULL;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- The newest entry: who writes the next one locks this row, so the chain has one end.
CREATE TABLE audit_log_head (
  single   boolean PRIMARY KEY DEFAULT true CHECK (single),
  sequence bigint NOT NULL,
  hash     bytea  NOT NULL
);
INSERT INTO audit_log_head (sequence, hash) VALUES (0, decode(repeat('00', 32), 'hex'));
