/**
 * The page of the sandbox: shows `/_sandbox/state` and `/_sandbox/deliveries`, and calls the controls. All data comes from
 * untrusted senders, so it is only inserted as text. Updates reuse nodes, which keeps focus, input and open details.
 */

import { callControl, showMessage } from './controls.js';
import {
	button,
	byId,
	element,
	group,
	indent,
	list,
	setOptions,
	setText,
	setValue,
	time,
	toggle,
} from './dom.js';

/** How many payouts and deliveries the page shows. */
const MAX_ENTRIES = 50;
/** How many payouts the filter looks at. */
const MAX_SEARCHED = 10_000;

const TONES = {
	Whitelisted: 'good',
	successful: 'good',
	delivered: 'good',
	active: 'good',
	Rejected: 'bad',
	failed: 'bad',
	Pending: 'wait',
	pending: 'wait',
	processing: 'wait',
};

function showBadge(badge, status) {
	setText(badge, status);
	badge.className = `badge ${Object.hasOwn(TONES, status) ? TONES[status] : ''}`;
}

/** Returns what a button does: it calls a control and then shows `done`. */
const post = (path, body, done) => () => void callControl('POST', path, body, done);

const buttons = (...children) => element('div', { class: 'actions' }, ...children);

const showBalances = list(
	byId('balances'),
	([code]) => code,
	([code]) => {
		const amount = element('b');
		return { node: element('li', {}, code, amount), show: ([, value]) => setText(amount, group(value)) };
	},
);

const showAccounts = list(
	byId('accounts'),
	({ kind, alias }) => `${kind} ${alias}`,
	({ kind, alias, detail, currency }) => {
		const amount = element('input', {
			value: currency === undefined ? '250.75' : '1000.50',
			inputMode: 'decimal',
			required: true,
			ariaLabel: `Amount that arrives at ${alias}`,
		});
		const coin = element('select', { ariaLabel: `Coin that arrives at ${alias}` });
		const arrive = (event) => {
			event.preventDefault();
			const what = `${group(amount.value)} ${currency ?? coin.value}`;
			const body =
				currency === undefined
					? { wallet_alias: alias, coin: coin.value, amount: amount.value }
					: { alias, amount: amount.value };
			void callControl('POST', 'deposits', body, `${what} arrived at ${alias}`);
		};
		const form = element(
			'form',
			{ class: 'actions', onsubmit: arrive },
			amount,
			currency === undefined ? coin : element('span', {}, currency),
			element('button', { ariaLabel: `Deposit arrives at ${alias}` }, 'Deposit arrives'),
		);
		return {
			node: element('li', {}, element('div', {}, alias, element('small', {}, `${kind}, ${detail}`)), form),
			show: ({ coins }) => setOptions(coin, coins ?? []),
		};
	},
);

const showDestinations = list(
	byId('destinations'),
	({ alias }) => alias,
	({ kind, alias, detail }) => {
		const badge = element('span');
		const words = element('div', {}, alias, ' ', badge, element('small', {}, `${kind}, ${detail}`));
		const decide = (decision) => post('reviews', { alias, decision }, `${alias} is ${decision}`);
		const actions = buttons(
			button('Approve', `Approve ${alias}`, decide('Whitelisted')),
			button('Reject', `Reject ${alias}`, decide('Rejected')),
		);
		return {
			node: element('li', {}, words, actions),
			show: ({ status }) => showBadge(badge, status),
		};
	},
);

const showPayouts = list(
	byId('payouts'),
	({ payout_id }) => payout_id,
	({ payout_id, amount, code, destination, created_at }) => {
		const badge = element('span');
		const path = `payouts/${encodeURIComponent(payout_id)}`;
		const become = (status) => post(path, { status }, `${payout_id} is ${status}`);
		const actions = buttons(
			button('Succeeds', `Payout ${payout_id} succeeds`, become('successful')),
			button('Fails', `Payout ${payout_id} fails`, become('failed')),
		);
		const origin = element('small', {}, `${payout_id}, ${time(created_at)}`);
		const words = element('div', {}, `${group(amount)} ${code} to ${destination} `, badge, origin);
		return {
			node: element('li', { tabIndex: -1 }, words, actions),
			show: ({ status }) => {
				showBadge(badge, status);
				toggle(actions, status === 'pending' || status === 'processing');
			},
		};
	},
);

const showDeliveries = list(
	byId('deliveries'),
	({ id }) => id,
	({ id, event, body, created_at }) => {
		const badge = element('span');
		const count = element('span');
		const attempts = element('tbody');
		const refusal = element('div', { class: 'said bad' });
		const path = `deliveries/${encodeURIComponent(id)}/redeliver`;
		const again = post(path, undefined, `${event} is sent again`);
		const names = ['Attempt', 'Answer', 'Took', 'Body'];
		const header = element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name)));
		const table = element('table', {}, element('thead', {}, header), attempts);
		const content = element(
			'div',
			{},
			element('small', {}, id),
			element('pre', { tabIndex: 0, ariaLabel: 'Payload' }, indent(body)),
			element('div', { class: 'scroll' }, table),
			button('Send again', `Send again: ${event} ${id}`, again),
		);
		const arrival = element('time', { dateTime: created_at }, time(created_at));
		const summary = element('summary', {}, arrival, ` ${event} `, badge, ' ', count);
		return {
			node: element('li', {}, element('details', {}, summary, content), refusal),
			show: (delivery) => {
				showBadge(badge, delivery.status);
				const { length } = delivery.attempts;
				setText(count, length === 1 ? '1 attempt' : `${length} attempts`);
				setText(refusal, delivery.status === 'delivered' ? '' : reasonOf(delivery.attempts.at(-1)));
				// Existing attempts do not change; new ones are added at the end.
				attempts.append(...delivery.attempts.slice(attempts.children.length).map(attemptRow));
			},
		};
	},
);

/** Why an attempt was not accepted, in the receiver's words. */
function reasonOf(attempt) {
	if (attempt === undefined) return '';
	const { status, error, answer } = attempt;
	if (status === undefined) return `No answer: ${error}`;
	return `Answer ${status}: ${reasonIn(answer) ?? answer ?? ''}`;
}

function reasonIn(answer) {
	try {
		const { reason, message } = JSON.parse(answer);
		return reason ?? message;
	} catch {
		return undefined;
	}
}

function attemptRow({ at, status, error, durationMs, answer }) {
	const cells = [
		time(at),
		status === undefined ? `none: ${error}` : String(status),
		`${durationMs} ms`,
		answer ?? '',
	];
	return element('tr', {}, ...cells.map((text) => element('td', {}, text)));
}

const showCredential = list(
	byId('credential'),
	([label]) => label,
	([label]) => {
		const value = element('dd');
		const copy = async () => {
			try {
				await navigator.clipboard.writeText(value.textContent);
				showMessage(`${label} is copied`, node);
			} catch {
				getSelection().selectAllChildren(value);
				showMessage('The browser does not allow copying. The value is selected: press Ctrl-C.', node, true);
			}
		};
		const copying = button('Copy', `Copy ${label}`, () => void copy());
		const node = element('div', { class: 'pair' }, element('dt', {}, label), value, copying);
		return { node, show: ([, text]) => setText(value, String(text)) };
	},
);

/** The message belongs to the form, because the row of an earlier URL disappears. */
const registerUrl = (url) => {
	const done = url === '' ? 'Events are not delivered' : `Events go to ${url}`;
	return callControl('PUT', 'webhook', { url: url || null }, done, byId('webhook'));
};

const showEarlierUrls = list(
	byId('earlier'),
	([url]) => url,
	([url]) => {
		const use = () => void registerUrl(url);
		const name = element('b');
		const text = element('div', {}, name, element('br'), url);
		const node = element('li', {}, text, button('Use again', `Use again: ${url}`, use));
		return { node, show: ([, workflow = '']) => setText(name, workflow) };
	},
);

/** Adds an option if another client has set a time that the select does not offer. */
function showSettling(settleAfterMs) {
	const { settleAfterMs: select } = byId('settle');
	const value = String(settleAfterMs);
	if (![...select.options].some((option) => option.value === value)) {
		select.append(element('option', { value }, `after ${value} ms`));
	}
	setValue(select, value);
}

/** Whether a payout has the text of the filter. */
function passesFilter({ payout_id, amount, code, destination, status }) {
	const words = `${payout_id} ${amount} ${group(amount)} ${code} ${destination} ${status}`;
	return words.toLowerCase().includes(byId('filter').value.trim().toLowerCase());
}

function show(state, deliveries) {
	const { coins, network_coins } = state;
	const codes = Object.keys(state.balances);
	const currencies = codes.filter((code) => !coins.includes(code));
	showBalances(Object.entries(state.balances));
	setOptions(byId('funding').asset, codes);
	setOptions(byId('funding').funding_request, [
		['', 'none'],
		...state.funding_requests
			.filter(({ status }) => status === 'pending')
			.map(({ id, pop }) => [id, `${id}: ${pop.slice(0, 60)}`]),
	]);
	setOptions(byId('issue').currency, currencies);
	showAccounts([
		...state.virtual_accounts.map(({ alias, bank, account_number, currency }) => ({
			kind: 'Virtual account',
			alias,
			detail: `${bank} ${account_number}`,
			currency,
		})),
		...state.crypto_wallets.map(({ alias, network, address }) => ({
			kind: 'Crypto wallet',
			alias,
			detail: `${network} ${address}`,
			coins: Object.hasOwn(network_coins, network) ? network_coins[network] : coins,
		})),
	]);
	showDestinations([
		...state.settlement_accounts.map(({ alias, bank_name, account_number, currency, status }) => ({
			kind: 'Settlement account',
			alias,
			detail: `${bank_name} ${account_number}, ${currency}`,
			status,
		})),
		...state.settlement_wallets.map(({ alias, network, asset_supported, address, status }) => ({
			kind: 'Settlement wallet',
			alias,
			detail: `${network} ${address}, ${asset_supported.split(',').join(', ')}`,
			status,
		})),
	]);
	showPayouts(state.payouts.filter(passesFilter).slice(-MAX_ENTRIES).toReversed());
	showSettling(state.settings.settleAfterMs);
	setValue(byId('webhook').url, state.webhook.url ?? '');
	byId('test-url').hidden = !state.webhook.url?.includes('/webhook-test/');
	const nameOf = (url) => state.webhook_names[url];
	const owner = nameOf(state.webhook.url) ?? '';
	setText(byId('owner'), owner);
	byId('owner').hidden = owner === '';
	showEarlierUrls(state.webhook.earlier.map((url) => [url, nameOf(url)]));
	showDeliveries(deliveries.results.toReversed());
}

let refreshing = false;
let outdated = false;

/** Loads and shows everything, once more if something changed in the meantime. */
async function refresh() {
	outdated = true;
	if (refreshing) return;
	refreshing = true;
	while (outdated) {
		outdated = false;
		const searched = byId('filter').value === '' ? MAX_ENTRIES : MAX_SEARCHED;
		const [state, deliveries] = await Promise.all([
			callControl('GET', `state?last=${searched}`),
			callControl('GET', `deliveries?last=${MAX_ENTRIES}`),
		]);
		if (state !== undefined && deliveries !== undefined) show(state, deliveries);
	}
	refreshing = false;
}

/** Calls `send` with the fields of a form and the button that was pressed when the user submits it. */
function onSubmit(id, send) {
	byId(id).addEventListener('submit', (event) => {
		event.preventDefault();
		void send(Object.fromEntries(new FormData(byId(id), event.submitter)), event.submitter);
	});
}

onSubmit('funding', ({ funding_request, ...funding }) => {
	const done = `${funding.direction} of ${group(funding.amount)} ${funding.asset}`;
	const request = funding_request === '' ? funding : { ...funding, funding_request };
	return callControl('POST', 'admin_funding', request, done);
});
onSubmit('issue', async (account) => {
	const issued = await callControl('POST', 'virtual_accounts', account, `${account.alias} is issued`);
	if (issued !== undefined) byId('issue').alias.value = '';
});
onSubmit('webhook', ({ url }) => registerUrl(url));
onSubmit('sample', (sample) => callControl('POST', 'events', sample, `A sample of ${sample.event} is sent`));
const FAULTS = {
	dropAfter: { dropAfter: true },
	dropBefore: { dropBefore: true },
	refused: { status: 422 },
	slow: { delayMs: 10_000 },
};
onSubmit('fault', ({ route, kind }, { textContent }) => {
	const [choice] = byId('fault').route.selectedOptions;
	const done = `The next ${choice.text} ${textContent}`;
	return callControl('POST', 'faults', { route, times: 1, ...FAULTS[kind] }, done);
});
byId('filter').addEventListener('input', () => void refresh());
byId('settle').addEventListener('change', ({ target }) => {
	const [choice] = target.selectedOptions;
	const settleAfterMs = JSON.parse(target.value);
	void callControl('PUT', 'settings', { settleAfterMs }, `A pending payout succeeds ${choice.text}`);
});
byId('reset').addEventListener('click', () => {
	if (!window.confirm('Delete all changes except the webhook URL and the settings?')) return;
	void callControl('POST', 'reset', undefined, 'The initial state is restored');
});

const live = new EventSource('/_sandbox/changes');
live.onopen = async () => {
	byId('live').className = 'badge good';
	setText(byId('live'), 'live');
	const credential = await callControl('GET', 'credential');
	if (credential !== undefined) showCredential(Object.entries(credential));
};
live.onmessage = () => void refresh();
// EventSource reconnects when the sandbox is back.
live.onerror = () => {
	byId('live').className = 'badge bad';
	setText(byId('live'), 'no connection');
};
