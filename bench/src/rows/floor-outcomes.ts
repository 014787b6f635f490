// The table of the webhooks' floor, which writes a row for each outcome.

export const CREATE_FLOOR_OUTCOMES =
  'CREATE TABLE floor_outcomes (event_id text PRIMARY KEY, ended_at_ms bigint NOT NULL, http_status integer NOT NULL)';

/** The first value is a list of event ids. The second is the time at which all of them ended, in Unix milliseconds. */
export const INSERT_FLOOR_OUTCOMES =
  'INSERT INTO floor_outcomes (event_id, ended_at_ms, http_status) SELECT unnest($1::text[]), $2, 200';
