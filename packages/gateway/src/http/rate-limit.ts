// Token buckets by name, in bounded memory, on the time that is handed in.
import { LRUCache } from 'lru-cache';

export interface BucketSize {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
}

export interface RateLimit {
  /** Takes a token: 0 when there was one, else the whole seconds until there will be one. */
  take(key: string, nowMs: number): number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Remembers at most `maxKeys` buckets. Beyond that the least recently used bucket is forgotten, which fills it. */
export function createRateLimit(size: BucketSize, maxKeys: number): RateLimit {
  const buckets = new LRUCache<string, Bucket>({ max: maxKeys });
  const fullBucket = (key: string, atMs: number): Bucket => {
    const bucket = { tokens: size.burst, atMs };
    buckets.set(key, bucket);
    return bucket;
  };
  return {
    take(key, nowMs) {
      const bucket = buckets.get(key) ?? fullBucket(key, nowMs);
      // A clock that was set back must not take tokens away.
      const elapsedMs = Math.max(0, nowMs - bucket.atMs);
      const tokens = Math.min(size.burst, bucket.tokens + (elapsedMs / 1000) * size.perSecond);
      const isFree = tokens >= 1;
      bucket.tokens = isFree ? tokens - 1 : tokens;
      bucket.atMs = nowMs;
      return isFree ? 0 : Math.max(1, Math.ceil((1 - tokens) / size.perSecond));
    },
  };
}
