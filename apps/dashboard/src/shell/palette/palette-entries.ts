// The entries of the command palette: places, pages that make something new, other merchants, and choices of the page.
import {
  CirclePlus,
  FileUp,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Rocket,
  Store,
  Sun,
  UserRound,
} from 'lucide-react';
import { useNavigate } from 'react-router';
import { useMay, useMerchant, usePerson } from '../../api/session.ts';
import { useSignOut } from '../../api/sign-out.ts';
import { words } from '../../words/words.ts';
import { openKeys } from '../keys-dialog.tsx';
import { applyTheme, type Theme } from '../theme.ts';
import { usePlaceGroups } from '../use-place-groups.ts';

export interface Entry {
  readonly value: string;
  readonly label: string;
  /** Smaller, after the label. */
  readonly detail?: string;
  readonly kind: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

/** All places where `text` is empty; else each entry that has the text in its name. */
export function useEntries(text: string): readonly Entry[] {
  const places = usePlaces();
  const more = [useBeginnings(), useOtherMerchants(), useOwnChoices()].flat();
  const wanted = text.toLowerCase();
  if (wanted === '') return places;
  return [...places, ...more].filter(({ label }) => label.toLowerCase().includes(wanted));
}

/** An entry that leads to an address. */
export function useLinkEntry() {
  const navigate = useNavigate();
  return (path: string, label: string, kind: string, icon: LucideIcon, detail?: string): Entry => ({
    value: path,
    label,
    kind,
    icon,
    run: () => void navigate(path),
    ...(detail === undefined ? {} : { detail }),
  });
}

function usePlaces(): readonly Entry[] {
  const link = useLinkEntry();
  return usePlaceGroups().flatMap(({ name, places }) =>
    places.map((place) => link(place.path, place.name, name ?? '', place.icon)),
  );
}

/** Pages on which something new is made. */
function useBeginnings(): readonly Entry[] {
  const link = useLinkEntry();
  const merchantId = useMerchant()?.merchant_id ?? '';
  const mayPayOut = useMay(merchantId)('pay-out');
  const { places, payouts, batch, additions, setup } = words;
  const own = [
    link(`/m/${merchantId}/payouts/new`, payouts.create, places.payouts, CirclePlus),
    link(`/m/${merchantId}/payouts/batch`, batch.title, places.payouts, FileUp),
  ];
  const operators = [
    link('/operator/chains/add', additions.addChain, places.chains, CirclePlus),
    link('/operator/chains/add-token', additions.addToken, places.chains, CirclePlus),
    link('/operator/set-up', setup.title, places.operator, Rocket),
  ];
  return [...(mayPayOut ? own : []), ...(usePerson().is_operator ? operators : [])];
}

function useOtherMerchants(): readonly Entry[] {
  const link = useLinkEntry();
  const current = useMerchant()?.merchant_id;
  return usePerson()
    .memberships.filter(({ merchant_id: id }) => id !== current)
    .map(({ merchant_id: id, merchant_name: name }) => link(`/m/${id}`, name, words.shell.merchants, Store));
}

const themes: readonly (readonly [Theme, LucideIcon])[] = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
];

function useOwnChoices(): readonly Entry[] {
  const link = useLinkEntry();
  const signOut = useSignOut();
  const { shell: text, places } = words;
  const choice = (value: string, label: string, kind: string, icon: LucideIcon, run: () => void) => ({
    value,
    label,
    kind,
    icon,
    run,
  });
  return [
    link('/account', places.account, '', UserRound),
    ...themes.map(([name, icon]) =>
      choice(`theme ${name}`, text.themes[name], text.theme, icon, () => applyTheme(name)),
    ),
    choice('keys', text.keys.title, '', Keyboard, openKeys),
    choice('sign-out', text.signOut, '', LogOut, () => signOut.mutate()),
  ];
}
