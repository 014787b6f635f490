// The places of the dashboard: the sidebar and the command palette show the same list.
import type { Permission } from '@ducat/contract/dashboard/operation';
import {
  AppWindow,
  ArrowUpRight,
  CircleHelp,
  Cog,
  Coins,
  DatabaseBackup,
  FileSliders,
  Gauge,
  House,
  Link2,
  type LucideIcon,
  QrCode,
  ReceiptText,
  Scale,
  ScrollText,
  Send,
  Store,
  Terminal,
  Users,
  Vault,
  Wallet,
  Webhook,
} from 'lucide-react';
import { words } from '../words/words.ts';

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  readonly needs?: Permission;
}

export interface PlaceGroup {
  readonly name: string | null;
  readonly places: readonly Place[];
}

export function merchantPlaces(merchantId: string): readonly PlaceGroup[] {
  const to = (rest: string) => `/m/${merchantId}${rest}`;
  const { places } = words;
  return [
    {
      name: null,
      places: [
        { path: to(''), name: places.home, icon: House },
        { path: to('/orders'), name: places.orders, icon: ReceiptText },
        { path: to('/payouts'), name: places.payouts, icon: ArrowUpRight },
        { path: to('/balances'), name: places.balances, icon: Wallet },
        { path: to('/qr-codes'), name: places.qrCodes, icon: QrCode },
        { path: to('/receipts'), name: places.receipts, icon: CircleHelp },
      ],
    },
    {
      name: places.developers,
      places: [
        { path: to('/apps'), name: places.apps, icon: AppWindow },
        { path: to('/webhooks'), name: places.webhooks, icon: Webhook },
        { path: to('/api-calls'), name: places.apiCalls, icon: Terminal, needs: 'develop' },
      ],
    },
    {
      name: places.settings,
      places: [
        { path: to('/team'), name: places.team, icon: Users },
        { path: to('/audit-log'), name: places.auditLog, icon: ScrollText, needs: 'administer' },
      ],
    },
  ];
}

export function operatorPlaces(): readonly PlaceGroup[] {
  const { places, operatorPlaces: own } = words;
  const to = (rest: string) => `/operator${rest}`;
  return [
    {
      name: places.operator,
      places: [
        { path: to(''), name: own.overview, icon: Gauge },
        { path: to('/chains'), name: places.chains, icon: Link2 },
        { path: to('/currencies'), name: own.currencies, icon: Coins },
        { path: to('/merchants'), name: own.merchants, icon: Store },
        { path: to('/people'), name: own.people, icon: Users },
      ],
    },
    {
      name: own.money,
      places: [
        { path: to('/payouts'), name: own.payouts, icon: ArrowUpRight },
        { path: to('/outgoing'), name: own.outgoing, icon: Send },
        { path: to('/receipts'), name: own.receipts, icon: CircleHelp },
        { path: to('/wallets'), name: own.wallets, icon: Vault },
        { path: to('/reserves'), name: own.reserves, icon: Scale },
      ],
    },
    {
      name: own.system,
      places: [
        { path: to('/jobs'), name: own.jobs, icon: Cog },
        { path: to('/backups'), name: own.backups, icon: DatabaseBackup },
        { path: to('/configuration'), name: own.configuration, icon: FileSliders },
        { path: to('/audit-log'), name: places.operatorLog, icon: ScrollText },
      ],
    },
  ];
}
