// Turns a value into Json as the reader gets it from an answer of java-tron.
import { JsonTape } from '@ducat/gateway/chains/rpc/json-tape';
import { Json } from '@ducat/gateway/chains/tron/wire/json';
import { writeJson } from '@ducat/tron-dev/http/json/json-text';

const mostValues = 10_000;

export function jsonOf(value: unknown): Json {
  return new Json(new JsonTape(Buffer.from(writeJson(value)), mostValues));
}
