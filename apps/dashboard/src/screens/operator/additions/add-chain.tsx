// For operators: an EVM chain is described, its nodes are asked, and then it is added.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { type ReactNode, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAct, useAnswer } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import { type Column, Table } from '../../../parts/data/table.tsx';
import { Actions } from '../../../parts/dialog.tsx';
import { FieldPair, SelectField, TextAreaField, TextField } from '../../../parts/field.tsx';
import { fieldError, type Typed } from '../../../parts/form.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Card, Fact, Facts, Stack } from '../../../parts/page.tsx';
import { say } from '../../../parts/toasts.tsx';
import { refusalText } from '../../../parts/data/failure.tsx';
import { fill, language, words } from '../../../words/words.ts';
import { AdditionPage } from './addition-page.tsx';
import { knownNetworks } from './known-networks.ts';
import { RateAssetField } from './rate-asset-field.tsx';
import { Warnings } from './warnings.tsx';

type Wish = RequestOf<'chains.check'>;
type Checked = ResponseOf<'chains.check'>;

type List = ResponseOf<'chains.list-added'>;
type Terms = NonNullable<List['added'][number]['chain_terms']>;
type Pinned = List['pinned'][number];

/** The first values of the form, and which of them cannot be changed. */
interface Start {
  readonly values: Partial<Terms & { readonly name: string }>;
  readonly stays: readonly ('name' | 'network' | 'chain_id' | 'coin_symbol')[];
  /** Whether the form changes a chain that was added before. */
  readonly isChange: boolean;
}

export function AddChain() {
  const { additions: text } = words;
  const [picked, setPicked] = useState('');
  const known = knownNetworks.find(({ name }) => name === picked);
  const start: Start = { values: known ?? {}, stays: [], isChange: false };
  return (
    <ChainPage title={text.chainTitle} under={text.chainUnder} start={start}>
      <SelectField
        label={text.known}
        hint={text.knownHint}
        value={picked}
        onChange={({ target }) => setPicked(target.value)}
      >
        <option value="">{text.knownNone}</option>
        {knownNetworks.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </SelectField>
    </ChainPage>
  );
}

/** Sets up the chain in the address, of which only name, network, coin and numbers are known. */
export function SetUpChain() {
  const { additions: text } = words;
  return (
    <OfList>
      {({ pinned }, name) => {
        const found = pinned.find(({ chain }) => chain === name);
        if (found === undefined || found.is_in_file) return <Notice tone="error">{text.inFile}</Notice>;
        const values = { name, network: found.network, coin_symbol: found.coin_symbol };
        const title = fill(text.setUpTitle, { name });
        const numbers = { first: found.first_currency_id, last: found.last_currency_id };
        const start: Start = { values, stays: ['name', ...PINNED], isChange: false };
        return <ChainPage title={title} under={fill(text.setUpUnder, numbers)} start={start} />;
      }}
    </OfList>
  );
}

/** Changes the chain in the address. The addresses of its nodes are typed anew, because they may hold keys. */
export function ChangeChain() {
  const { additions: text } = words;
  return (
    <OfList>
      {({ added, pinned }, name) => {
        const terms = added.find((row) => row.currency_id === null && row.chain === name)?.chain_terms;
        const title = fill(text.changeTitle, { name });
        if (terms === undefined || terms === null) return <Notice tone="error">{text.leftOutUnder}</Notice>;
        const start: Start = {
          values: { name, ...terms },
          stays: ['name', 'chain_id', ...pinnedOf(pinned, name)],
          isChange: true,
        };
        return <ChainPage title={title} under={text.changeUnder} start={start} />;
      }}
    </OfList>
  );
}

const PINNED = ['network', 'coin_symbol'] as const;

function pinnedOf(pinned: readonly Pinned[], name: string): Start['stays'] {
  return pinned.some(({ chain }) => chain === name) ? PINNED : [];
}

/** Gives its children the added and the pinned chains, and the name of the chain in the address. */
function OfList({ children }: { readonly children: (list: List, name: string) => ReactNode }) {
  const { chain: name = '' } = useParams();
  const query = useAnswer('chains.list-added', {});
  return (
    <Answer query={query} skeleton={<Bone width="100%" height={240} />}>
      {(list) => children(list, name)}
    </Answer>
  );
}

interface ChainPageProps {
  readonly title: string;
  readonly under: string;
  readonly start: Start;
  /** Above the fields. */
  readonly children?: ReactNode;
}

function ChainPage({ title, under, start, children }: ChainPageProps) {
  return (
    <AdditionPage
      title={title}
      under={under}
      check="chains.check"
      wishOf={(typed) => ({ ...wishOf(typed), is_change: start.isChange })}
      fields={(error) => (
        <>
          {children}
          {/* Another chain gets new fields, because a field takes its first value only once. */}
          <ChainFields key={start.values.name} error={error} start={start} />
        </>
      )}
      checked={(wish, checked) => <CheckedCard wish={wish} checked={checked} />}
    />
  );
}

function wishOf(typed: Typed): Omit<Wish, 'is_change'> {
  const explorer = typed('explorer_url');
  return {
    name: typed('name'),
    network: typed('network'),
    chain_id: Number(typed('chain_id')),
    coin_symbol: typed('coin_symbol'),
    coin_rate_asset: typed('worth') || null,
    node_urls: typed('node_urls').split(/\s+/).filter(Boolean),
    confirmations: Number(typed('confirmations')),
    node_finality: typed('node_finality') === 'none' ? 'none' : 'finalized',
    ...(explorer === '' ? {} : { explorer_url: explorer }),
  };
}

interface ChainFieldsProps {
  readonly error: unknown;
  readonly start: Start;
}

function ChainFields({ error, start: { values, stays } }: ChainFieldsProps) {
  const { additions: text } = words;
  const field = (name: Start['stays'][number], hint?: string) => ({
    name,
    defaultValue: values[name] ?? '',
    error: fieldError(error, name),
    ...(stays.includes(name) ? { readOnly: true } : { hint }),
  });
  return (
    <>
      <FieldPair>
        <TextField label={text.name} maxLength={16} {...field('name', text.nameHint)} />
        <TextField label={text.network} maxLength={32} {...field('network', text.networkHint)} />
      </FieldPair>
      <FieldPair>
        <TextField label={text.chainId} inputMode="numeric" {...field('chain_id')} />
        <TextField label={text.coin} maxLength={32} {...field('coin_symbol')} />
      </FieldPair>
      <RateAssetField chosen={values.coin_rate_asset ?? ''} />
      <NodeFields error={error} terms={values} />
    </>
  );
}

interface NodeFieldsProps {
  readonly error: unknown;
  readonly terms: Partial<Terms>;
}

function NodeFields({ error, terms }: NodeFieldsProps) {
  const { additions: text } = words;
  const wrong = (name: string) => fieldError(error, name);
  return (
    <>
      <TextAreaField
        label={text.nodes}
        name="node_urls"
        rows={3}
        hint={text.nodesHint}
        error={wrong('node_urls')}
      />
      <TextField
        label={text.confirmations}
        name="confirmations"
        inputMode="numeric"
        defaultValue={terms.confirmations ?? 15}
        hint={text.confirmationsHint}
        error={wrong('confirmations')}
      />
      <SelectField
        label={text.finality}
        name="node_finality"
        defaultValue={terms.node_finality ?? 'finalized'}
      >
        <option value="finalized">{text.finalized}</option>
        <option value="none">{text.none}</option>
      </SelectField>
      <TextField
        label={text.explorer}
        name="explorer_url"
        optional
        defaultValue={terms.explorer_url ?? ''}
        error={wrong('explorer_url')}
      />
    </>
  );
}

function CheckedCard({ wish, checked }: { readonly wish: Wish; readonly checked: Checked }) {
  const { additions: text } = words;
  const navigate = useNavigate();
  const { is_change: isChange = false, ...kept } = wish;
  const done = () => {
    say(fill(isChange ? text.changed : text.added, { name: wish.name }));
    void navigate('/operator/chains');
  };
  const add = useAct(isChange ? 'chains.change-added' : 'chains.add', done);
  const { trouble, genesis_hash: genesis } = checked;
  return (
    <Card title={text.checked}>
      <Stack>
        <Notice tone={trouble === null ? 'paid' : 'error'} live>
          <bdi>{trouble ?? text.fits}</bdi>
        </Notice>
        <Warnings warnings={checked.warnings} />
        <ChainFacts checked={checked} />
        <Table
          label={text.nodes}
          columns={nodeColumns()}
          rows={checked.providers}
          rowKey={({ host }) => host}
          bare
        />
        {trouble === null && (
          <Notice tone="seen">
            {text.offAtFirst} {text.payouts}
          </Notice>
        )}
        {add.error !== null && (
          <Notice tone="error" live>
            {refusalText(add.error)}
          </Notice>
        )}
        {trouble === null && (
          <Actions>
            <Button
              tone="primary"
              busy={add.isPending}
              onClick={() => add.mutate({ ...kept, genesis_hash: genesis })}
            >
              {fill(isChange ? text.changeNow : text.addNow, { name: wish.name })}
            </Button>
          </Actions>
        )}
      </Stack>
    </Card>
  );
}

function ChainFacts({ checked }: { readonly checked: Checked }) {
  const { additions: text } = words;
  const { genesis_hash: genesis, block_ms: blockMs } = checked;
  return (
    <Facts>
      <Fact name={text.number}>{checked.coin_currency_id}</Fact>
      <Fact name={text.firstBlock}>
        <bdi>{genesis ?? text.notShown}</bdi>
      </Fact>
      <Fact name={text.blockTime}>
        {blockMs === null
          ? text.notShown
          : (blockMs / 1_000).toLocaleString(language, {
              style: 'unit',
              unit: 'second',
              maximumFractionDigits: 1,
            })}
      </Fact>
    </Facts>
  );
}

function nodeColumns(): readonly Column<Checked['providers'][number]>[] {
  const { additions: text } = words;
  const height = (number: number | null) => number?.toLocaleString(language) ?? '';
  return [
    { key: 'host', head: text.node, cell: ({ host }) => <bdi>{host}</bdi> },
    {
      key: 'trouble',
      head: words.orders.state,
      fill: true,
      phone: 'long',
      cell: ({ trouble }) => <bdi>{trouble ?? text.works}</bdi>,
    },
    { key: 'head', head: text.newest, end: true, phone: 'minor', cell: ({ head }) => height(head) },
    { key: 'final', head: text.final, end: true, phone: 'out', cell: ({ final }) => height(final) },
  ];
}
