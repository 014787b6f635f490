-- What operators look back on, one row for each day: how good each provider was, and what comparing the books with the
-- chains came to. New tables alone, so nobody waits. No merchant reads them: they are behind no policy and not granted.
CREATE TABLE provider_days (
  -- Days since 1970 in UTC.
  day           integer NOT NULL,
  chain         text    COLLATE "C" NOT NULL,
  provider      text    COLLATE "C" NOT NULL,
  calls         bigint  NOT NULL,
  failures      bigint  NOT NULL,
  total_ms      bigint  NOT NULL,
  disagreements bigint  NOT NULL,
  -- As they were last.
  circuit       text    NOT NULL CHECK (circuit IN ('closed', 'open', 'half-open')),
  reason        text,
  head          bigint,
  at_ms         bigint  NOT NULL,
  PRIMARY KEY (day, chain, provider)
);

CREATE TABLE reserve_days (
  day            integer NOT NULL,
  chain          text    COLLATE "C" NOT NULL,
  currency_id    integer NOT NULL,
  comparisons    bigint  NOT NULL,
  addresses      bigint  NOT NULL,
  rounds         bigint  NOT NULL,
  -- Addresses that differed at once, at the most.
  most_differing bigint  NOT NULL,
  failures       bigint  NOT NULL,
  -- The last one of the day.
  trouble        text,
  PRIMARY KEY (day, chain, currency_id)
);
