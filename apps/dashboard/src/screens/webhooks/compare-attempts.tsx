// Two attempts of one webhook side by side, and what differs between them.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { type AttemptPart, attemptDifferences, attemptParts } from '../../format/attempt-differences.ts';
import { millisecondsText } from '../../format/times.ts';
import { Table } from '../../parts/data/table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Card, Stack } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { fill, language, words } from '../../words/words.ts';

type Attempt = ResponseOf<'webhooks.read'>['attempts'][number];

type Side = 'one' | 'other';

/** `attempts` has the newest first, and two at least. The last two are compared until others are chosen. */
export function CompareAttempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const { attemptsCompared: text } = words;
  const [chosen, setChosen] = useState<Partial<Record<Side, number>>>({});
  const [newest, before] = attempts;
  const of = (side: Side) => attempts.find(({ attempt }) => attempt === chosen[side]);
  const [one, other] = [of('one') ?? before, of('other') ?? newest];
  if (one === undefined || other === undefined) return null;
  const choice = (side: Side, label: string, value: Attempt) => (
    <SelectField
      label={label}
      value={value.attempt}
      onChange={({ target }) => setChosen({ ...chosen, [side]: Number(target.value) })}
    >
      {attempts.map(({ attempt }) => (
        <option key={attempt} value={attempt}>
          {nameOf(attempt)}
        </option>
      ))}
    </SelectField>
  );
  return (
    <Card title={text.title}>
      <Stack>
        {choice('one', text.one, one)}
        {choice('other', text.other, other)}
        <Verdict differing={attemptDifferences(one, other)} />
        <Sides one={one} other={other} />
      </Stack>
    </Card>
  );
}

function nameOf(attempt: number): string {
  return fill(words.timeline.attempt, { n: attempt });
}

function Verdict({ differing }: { readonly differing: readonly AttemptPart[] }) {
  const { attemptsCompared: text } = words;
  if (differing.length === 0) return <Notice tone="calm">{text.same}</Notice>;
  const parts = differing.map((part) => text.parts[part]).join(', ');
  return <Notice tone="part">{fill(text.differ, { parts })}</Notice>;
}

function Sides({ one, other }: Readonly<Record<Side, Attempt>>) {
  const { attemptsCompared: text } = words;
  const at = ({ started_at_ms: ms }: Attempt) => <Time at={Math.floor(ms / 1_000)} form="exact" />;
  const rows = [
    { name: text.sent, one: at(one), other: at(other) },
    ...attemptParts.map((part) => ({
      name: text.parts[part],
      one: shown(one, part),
      other: shown(other, part),
    })),
    { name: text.bytes, one: text.sameBytes, other: text.sameBytes },
    { name: 'X-Timestamp, X-Sign', one: text.ofItsOwn, other: text.ofItsOwn },
  ];
  return (
    <Table
      bare
      label={text.title}
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        { key: 'name', head: text.part, cell: ({ name }) => name },
        { key: 'one', head: nameOf(one.attempt), phone: 'named', cell: (row) => row.one },
        { key: 'other', head: nameOf(other.attempt), phone: 'named', cell: (row) => row.other },
      ]}
    />
  );
}

function shown(attempt: Attempt, part: AttemptPart): string {
  if (part === 'outcome') return words.attemptOutcomes[attempt.outcome];
  const value = attempt[part];
  if (value === null) return '–';
  return part === 'duration_ms' ? millisecondsText(Number(value), language) : String(value);
}
