-- Leases: work that one process does at a time, such as watching a chain, while others stand by.
-- No time is kept here that anybody compares with a clock: a standby counts how often it saw nothing change.
CREATE TABLE leases (
  name        text    PRIMARY KEY,
  -- Raised by every take-over and never lowered. What a holder commits, it commits under its token or not at all.
  token       bigint  NOT NULL CHECK (token > 0),
  -- Which process; null while the lease is free. For people to read: the token alone decides.
  holder      text,
  -- Counted up by the holder while it lives.
  renewals    bigint  NOT NULL CHECK (renewals >= 0),
  -- For people to read.
  taken_at_ms bigint  NOT NULL
);
