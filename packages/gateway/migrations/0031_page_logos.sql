-- The merchant's logo on the payment pages of an app, and whether the app only ever takes coins of test chains.
-- The digest is the logo's name on the page, so that a changed logo has a new address.
ALTER TABLE checkout_pages
  ADD COLUMN logo bytea CHECK (octet_length(logo) BETWEEN 1 AND 65536),
  ADD COLUMN logo_digest text COLLATE "C" GENERATED ALWAYS AS (encode(sha256(logo), 'hex')) STORED,
  ADD COLUMN is_test boolean NOT NULL DEFAULT false;
