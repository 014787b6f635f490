// Every operation of the dashboard with its handler.
import type { OperationName } from '@ducat/contract/dashboard/registry';
import { handleCallList, handleCallRead } from './api-calls/api-calls.ts';
import { handleAddressAdd, handleAddressList, handleAddressRemove } from './apps/address-list.ts';
import { handleSignatureCheck } from './apps/check-signature.ts';
import {
  handleAppChange,
  handleCodeSwitch,
  handleLogoChange,
  handleNetworkChange,
  handleRulesChange,
} from './apps/change-app.ts';
import { handleAppCreate, handleKeyRotation } from './apps/create-app.ts';
import { handleAppList, handleAppRead } from './apps/list-apps.ts';
import { handleTestEvent } from './apps/send-test-event.ts';
import { auditLogHandlers } from './audit-log/audit-log-handlers.ts';
import { handleBalances, handleStuck } from './balances/balances.ts';
import { handleStatementExport } from './balances/export-statement.ts';
import { handleReceiptSum, handleStatement, handleStatementSum } from './balances/statement.ts';
import type { Handlers } from './call.ts';
import { handleCurrencyList } from './home/currencies.ts';
import { handleHome } from './home/home.ts';
import { handleBackups } from './operator/backups.ts';
import {
  handleAddedList,
  handleChainAdd,
  handleChainCheck,
  handleTokenAdd,
  handleTokenCheck,
} from './operator/additions.ts';
import { handleAddedRemove, handleChainChange, handleTokenChange } from './operator/changed-additions.ts';
import { handleProviderList, handleReserveDays } from './operator/days.ts';
import {
  handleChainList,
  handleChainPause,
  handleChainResume,
  handleCurrencyListAll,
  handleCurrencyResume,
  handleCurrencySuspend,
} from './operator/chains.ts';
import { handleMerchantDelete } from './operator/delete-merchant.ts';
import {
  handleAppSwitchOn,
  handleFeesChange,
  handleLimitsChange,
  handleMerchantCreate,
  handleMerchantList,
  handleMerchantSwitch,
} from './operator/merchants.ts';
import {
  handleOpenOutgoing,
  handlePayoutListAll,
  handleReceiptListAll,
  handleReserves,
  handleWallets,
} from './operator/money.ts';
import { handleOutflowList } from './operator/outflows.ts';
import { handlePastIncidents } from './operator/incident-history.ts';
import { handleIncidents } from './operator/incidents.ts';
import { handleStake } from './operator/stake.ts';
import { handleConfiguration, handleJobs } from './operator/system.ts';
import { handleExport } from './orders/export-orders.ts';
import { handleFind } from './orders/find.ts';
import { handleOrderList } from './orders/list-orders.ts';
import { handleOrderRead } from './orders/read-order.ts';
import { handleRefundQuote } from './orders/quote-refund.ts';
import { handleRefund } from './orders/refund-receipt.ts';
import { handleAcceptLate, handleAssign, handleReceiptList } from './orders/receipts.ts';
import { handleApproval, handleApprove } from './payouts/approve-payout.ts';
import { handleSenderResume } from './operator/senders.ts';
import { handlePayoutCancel } from './payouts/cancel-payout.ts';
import { handlePayoutDecline } from './payouts/decline-payout.ts';
import { handlePayoutCreate } from './payouts/create-payout.ts';
import { handlePayoutList } from './payouts/list-payouts.ts';
import { handlePayoutsMade } from './payouts/made-payouts.ts';
import { handlePayoutQuote } from './payouts/quote-payout.ts';
import { handlePayoutRead } from './payouts/read-payout.ts';
import {
  handleQrCodeCreate,
  handleQrCodeList,
  handleQrCodeRead,
  handleQrCodeSwitch,
} from './qr-codes/qr-codes.ts';
import { passwordLinkHandlers } from './password-link/password-link-handlers.ts';
import { passkeyHandlers } from './session/passkeys.ts';
import { sessionHandlers } from './session/session-handlers.ts';
import { handleTestOrder } from './setup/create-test-order.ts';
import { setupHandlers } from './setup/setup-handlers.ts';
import { signUpHandlers } from './sign-up/sign-up-handlers.ts';
import { peopleHandlers } from './team/people-handlers.ts';
import { teamHandlers } from './team/team-handlers.ts';
import { handleEventList, handleEventRead, handleResend, handleResendSpan } from './webhooks/webhooks.ts';

export const handlers: Handlers<OperationName> = {
  ...sessionHandlers,
  ...setupHandlers,
  ...signUpHandlers,
  ...passwordLinkHandlers,
  ...passkeyHandlers,
  ...teamHandlers,
  ...peopleHandlers,
  ...auditLogHandlers,
  'currencies.list': handleCurrencyList,
  'home.read': handleHome,
  'orders.list': handleOrderList,
  'orders.read': handleOrderRead,
  'orders.accept-late': handleAcceptLate,
  'orders.export': handleExport,
  'orders.create-test': handleTestOrder,
  'search.find': handleFind,
  'receipts.list': handleReceiptList,
  'receipts.assign': handleAssign,
  'receipts.quote-refund': handleRefundQuote,
  'receipts.refund': handleRefund,
  'qr-codes.list': handleQrCodeList,
  'qr-codes.read': handleQrCodeRead,
  'qr-codes.create': handleQrCodeCreate,
  'qr-codes.switch': handleQrCodeSwitch,
  'payouts.list': handlePayoutList,
  'payouts.read': handlePayoutRead,
  'payouts.quote': handlePayoutQuote,
  'payouts.made': handlePayoutsMade,
  'payouts.create': handlePayoutCreate,
  'payouts.cancel': handlePayoutCancel,
  'payouts.decline': handlePayoutDecline,
  'payouts.approval': handleApproval,
  'payouts.approve': handleApprove,
  'apps.list': handleAppList,
  'apps.read': handleAppRead,
  'apps.create': handleAppCreate,
  'apps.rotate-key': handleKeyRotation,
  'apps.change': handleAppChange,
  'apps.change-logo': handleLogoChange,
  'apps.change-payout-rules': handleRulesChange,
  'apps.change-network': handleNetworkChange,
  'apps.switch-one-time-codes': handleCodeSwitch,
  'apps.check-signature': handleSignatureCheck,
  'apps.send-test-event': handleTestEvent,
  'address-list.list': handleAddressList,
  'address-list.add': handleAddressAdd,
  'address-list.remove': handleAddressRemove,
  'webhooks.list': handleEventList,
  'webhooks.read': handleEventRead,
  'webhooks.resend': handleResend,
  'webhooks.resend-span': handleResendSpan,
  'api-calls.list': handleCallList,
  'api-calls.read': handleCallRead,
  'balances.read': handleBalances,
  'balances.list-stuck': handleStuck,
  'balances.statement': handleStatement,
  'balances.sum-receipts': handleReceiptSum,
  'balances.sum-statement': handleStatementSum,
  'balances.export-statement': handleStatementExport,
  'chains.check': handleChainCheck,
  'chains.add': handleChainAdd,
  'chains.change-added': handleChainChange,
  'chains.list-providers': handleProviderList,
  'reserves.list-days': handleReserveDays,
  'chains.remove-added': handleAddedRemove,
  'chains.list-added': handleAddedList,
  'currencies.check-token': handleTokenCheck,
  'currencies.add-token': handleTokenAdd,
  'currencies.change-token': handleTokenChange,
  'chains.list': handleChainList,
  'chains.pause': handleChainPause,
  'chains.resume': handleChainResume,
  'senders.resume': handleSenderResume,
  'currencies.list-all': handleCurrencyListAll,
  'currencies.suspend': handleCurrencySuspend,
  'currencies.resume': handleCurrencyResume,
  'merchants.list': handleMerchantList,
  'merchants.create': handleMerchantCreate,
  'merchants.change-fees': handleFeesChange,
  'merchants.change-limits': handleLimitsChange,
  'merchants.switch': handleMerchantSwitch,
  'merchants.switch-app-on': handleAppSwitchOn,
  'merchants.delete': handleMerchantDelete,
  'payouts.list-all': handlePayoutListAll,
  'receipts.list-all': handleReceiptListAll,
  'outgoing.list-open': handleOpenOutgoing,
  'outflows.list': handleOutflowList,
  'wallets.list': handleWallets,
  'wallets.read-stake': handleStake,
  'reserves.read': handleReserves,
  'incidents.list': handleIncidents,
  'incidents.list-past': handlePastIncidents,
  'jobs.list': handleJobs,
  'configuration.read': handleConfiguration,
  'backups.read': handleBackups,
};
