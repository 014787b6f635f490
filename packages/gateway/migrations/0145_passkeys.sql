-- Passkeys of people (WebAuthn), and what a browser has to sign next. New tables alone, so nobody waits.
CREATE TABLE passkeys (
  -- The credential id, as browsers write it.
  passkey_id    text COLLATE "C" PRIMARY KEY,
  person_id     text COLLATE "C" NOT NULL REFERENCES people,
  public_key    bytea  NOT NULL,
  -- As the passkey counted its use last; 0 of those that do not count.
  counter       bigint NOT NULL,
  -- How browsers reach it.
  transports    text[] NOT NULL,
  name          text   NOT NULL,
  created_at_ms bigint NOT NULL,
  used_at_ms    bigint
);
CREATE INDEX passkeys_by_person ON passkeys (person_id);

-- One of a session at a time; it goes with its session, and with its first use.
CREATE TABLE passkey_challenges (
  session_id    text COLLATE "C" PRIMARY KEY REFERENCES dashboard_sessions ON DELETE CASCADE,
  challenge     text   NOT NULL,
  purpose       text   NOT NULL CHECK (purpose IN ('add', 'show')),
  expires_at_ms bigint NOT NULL
);
