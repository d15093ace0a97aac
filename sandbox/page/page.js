/** The page of the sandbox: shows `/_sandbox/state` and `/_sandbox/deliveries`, and calls the controls. */
import {
	button,
	byId,
	element,
	form,
	group,
	indent,
	input,
	list,
	setOptions,
	setText,
	setValue,
	showBadge,
	time,
} from './dom.js';

/** How many payouts and deliveries the page shows. */
const MAX_ENTRIES = 50;
/** How many payouts the filter looks at. */
const MAX_SEARCHED = 10_000;
const NO_PAYOUTS = byId('payouts').dataset.none;

/** Shows a message in the bar, which has room for it. */
function showMessage(text, failed = false) {
	const said = byId('said');
	setText(said, text);
	said.className = failed ? 'failed' : 'successful';
}

/**
 * Calls a control. Shows `done` or the error. Returns the JSON, or undefined after an error.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [done]
 */
async function callControl(method, path, body, done) {
	try {
		const response = await fetch(`/_sandbox/${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const json = await response.json();
		if (!response.ok) throw new Error(json.error.message);
		if (done !== undefined) showMessage(done);
		return json;
	} catch (error) {
		showMessage(error instanceof Error ? error.message : String(error), true);
		return undefined;
	}
}

/** Returns what a button does: it calls a control and then shows `done`. */
const post = (path, body, done) => () => void callControl('POST', path, body, done);

const showBalances = list(
	byId('balances'),
	([code]) => code,
	([code]) => {
		const amount = element('b');
		return { node: element('li', {}, code, amount), show: ([, value]) => setText(amount, group(value)) };
	},
);

/** What a row says of a record besides its name and status. */
const detailOf = (record) =>
	Object.values({ ...record, alias: '', status: '' })
		.filter(Boolean)
		.join(', ');

const showAccounts = list(
	byId('accounts'),
	({ alias, currency }) => `${alias} ${currency}`,
	({ coins, ...account }) => {
		const { alias, currency } = account;
		const amount = element('input', {
			value: currency === undefined ? '250.75' : '1000.50',
			inputMode: 'decimal',
			required: true,
			ariaLabel: `Amount that arrives at ${alias}`,
		});
		const coin = element('select', { ariaLabel: `Coin that arrives at ${alias}` });
		setOptions(coin, coins);
		const arrive = (event) => {
			event.preventDefault();
			const to = currency === undefined ? { wallet_alias: alias, coin: coin.value } : { alias };
			const what = `${group(amount.value)} ${currency ?? coin.value}`;
			void callControl('POST', 'deposits', { ...to, amount: amount.value }, `${what} arrived at ${alias}`);
		};
		const submit = element('button', { ariaLabel: `Deposit arrives at ${alias}` }, 'Deposit arrives');
		const form = element('form', { onsubmit: arrive }, amount, currency ?? coin, submit);
		const words = element('div', {}, alias, element('small', {}, detailOf(account)));
		return { node: element('li', {}, words, form), show: () => {} };
	},
);

/** A row with words, the badge of its status, and buttons. */
function statusRow(words, detail, ...buttons) {
	const badge = element('span');
	const title = element('span', {}, `${words} `, badge);
	const text = element('div', {}, title, element('small', {}, detail));
	const actions = element('div', { class: 'actions' }, ...buttons);
	return { node: element('li', { tabIndex: -1 }, text, actions), badge, text, actions };
}

const showDestinations = list(
	byId('destinations'),
	({ alias }) => alias,
	(destination) => {
		const { alias } = destination;
		const decide = (decision) => post('reviews', { alias, decision }, `${alias} is ${decision}`);
		const { node, badge } = statusRow(
			alias,
			detailOf(destination),
			button('Approve', `Approve ${alias}`, decide('Whitelisted')),
			button('Reject', `Reject ${alias}`, decide('Rejected')),
		);
		return { node, show: ({ status }) => showBadge(badge, status) };
	},
);

/** What may happen to the next request, in words, and the fault that makes it happen. */
const FAULTS = {
	'made, and its answer is lost': { dropAfter: true },
	'not made, and there is no answer': { dropBefore: true },
	refused: { status: 422 },
	'made, and its answer takes ten seconds': { delayMs: 10_000 },
};
byId('kinds').replaceChildren(
	...Object.entries(FAULTS).map(([words, fault]) =>
		element('button', { name: 'kind', value: JSON.stringify(fault) }, words),
	),
);

/** `The next fiat payout: refused`, also of a fault that no button makes. */
function wordsOfFault({ route, times, skip, acted, ...kind }) {
	const choices = [...form('fault').route.options];
	const what = choices.find(({ value }) => value === route)?.text ?? route;
	const isIt = ([, known]) => !acted && JSON.stringify(known) === JSON.stringify(kind);
	const [words] = Object.entries(FAULTS).find(isIt) ?? [JSON.stringify(acted ? { ...kind, acted } : kind)];
	const which = skip > 0 ? `After ${skip} of them, the next` : 'The next';
	return `${which} ${times > 1 ? `${times} times ` : ''}${what}: ${words}`;
}

function faultRow() {
	const words = element('span');
	const badge = element('span');
	showBadge(badge, 'waiting');
	const node = element('li', {}, element('div', {}, words, ' ', badge));
	return { node, show: ({ fault }) => setText(words, wordsOfFault(fault)) };
}

function payoutRow({ payout_id, amount, code, fee, destination, created_at }) {
	const become = (status) => post(`payouts/${payout_id}`, { status }, `${payout_id} is ${status}`);
	const costs = fee === '0' ? '' : `, fee ${group(fee)}`;
	const { node, badge, text, actions } = statusRow(
		`${group(amount)} ${code} to ${destination}`,
		`${time(created_at)}, ${payout_id}${costs}`,
		button('Succeeds', `Payout ${payout_id} succeeds`, become('successful')),
		button('Fails', `Payout ${payout_id} fails`, become('failed')),
	);
	const steps = element('ol', { class: 'story', ariaLabel: `What happened to ${payout_id}` });
	const details = element('details', {}, element('summary', {}, ...text.childNodes), steps);
	const tell = async () => {
		const story = details.open ? await callControl('GET', `payouts/${payout_id}`) : undefined;
		if (story !== undefined) showStory(steps, story);
	};
	details.addEventListener('toggle', () => void tell());
	text.append(details);
	const show = ({ status }) => {
		showBadge(badge, status);
		const isFinal = status === 'successful' || status === 'failed';
		// A hidden button loses the focus.
		if (isFinal && actions.contains(document.activeElement)) node.focus();
		actions.classList.toggle('gone', isFinal);
		void tell();
	};
	return { node, show };
}

/** What a movement of a payout is. */
const MOVEMENTS = { payout: 'Taken from the balance', payout_refund: 'Given back' };

/** Shows what happened to a payout, in order of time. What is shown already stays, and with it what the user has selected. */
function showStory(steps, { payout, requests, movements, deliveries }) {
	const told = [
		...requests.map(({ at, method, path, body }, index) => ({
			at,
			what: index === 0 ? 'Asked' : 'Asked again',
			text: `${method} ${path}`,
			content: body,
		})),
		...movements.map(({ at, reason, amount, code, balance }) => ({
			at,
			what: MOVEMENTS[reason],
			text: `${group(amount.replace('-', ''))} ${code}. The balance is then ${group(balance)} ${code}`,
		})),
		...requests.filter(({ answeredAt }) => answeredAt !== undefined).map(answerStep),
		...deliveries.flatMap(({ event, body, attempts, created_at }) => [
			{ at: created_at, what: 'Event', text: `${event}, ${contentOf(body)}` },
			...attempts.map((attempt) => ({ at: attempt.at, ...attemptStep(attempt) })),
		]),
	].toSorted((one, other) => one.at.localeCompare(other.at));
	if (requests.length === 0) told.unshift({ what: 'Asked', text: 'before this start of the sandbox' });
	if (payout.class === 'fiat')
		told.push({ what: 'No event', text: 'The service sends none of a fiat payout' });
	const shown = JSON.stringify(told);
	if (steps.dataset.shown === shown) return;
	steps.dataset.shown = shown;
	steps.replaceChildren(
		...told.map(({ at, what, text, content }) => {
			const when = at === undefined ? '' : `${time(at)} `;
			const more = content ? [element('code', {}, content)] : [];
			return element('li', {}, when, element('b', {}, what), ` ${text}`, ...more);
		}),
	);
}

function attemptStep({ status, error }) {
	if (status === undefined) return { what: 'Not delivered', text: error };
	return { what: status >= 200 && status < 300 ? 'Delivered' : 'Refused', text: `with ${status}` };
}

function answerStep({ answeredAt, status, answer }) {
	const text = status === 0 ? 'The connection was closed' : `with ${status}`;
	return { at: answeredAt, what: status === 0 ? 'No answer' : 'Answered', text, content: answer };
}

/** A fault waits where its payout will appear. */
const showPayouts = list(
	byId('payouts'),
	({ payout_id, index }) => payout_id ?? `fault ${index}`,
	(row) => (row.fault === undefined ? payoutRow(row) : faultRow()),
);

const showDeliveries = list(
	byId('deliveries'),
	({ id }) => id,
	({ id, event, body, created_at }) => {
		const badge = element('span');
		const attempts = element('div', { class: 'attempts' });
		const summary = element('small', { class: 'line' });
		const again = post(`deliveries/${id}/redeliver`, undefined, `${event} is sent again`);
		const details = element(
			'details',
			{},
			element('summary', {}, `${time(created_at)} ${event} `, badge),
			button('Send again', `Send again: ${event} ${id}`, again),
			element('small', {}, id),
			attempts,
			element('pre', { tabIndex: 0, ariaLabel: 'Payload' }, indent(body)),
		);
		const show = (delivery) => {
			showBadge(badge, delivery.status);
			const { length } = delivery.attempts;
			const tries = length === 1 ? '1 attempt' : `${length} attempts`;
			const reason = delivery.status === 'delivered' ? '' : reasonOf(delivery.attempts.at(-1));
			setText(summary, [reason, contentOf(body), tries].filter(Boolean).join(', '));
			summary.title = summary.textContent;
			// Existing attempts do not change; new ones are added at the end.
			attempts.append(...delivery.attempts.slice(attempts.children.length).map(attemptRow));
		};
		return { node: element('li', {}, details, summary), show };
	},
);

/** What an event is about, whatever its fields are called: amount, code, alias, status. */
function contentOf(body) {
	const fields = Object.entries(JSON.parse(body)).filter(([, value]) => typeof value === 'string');
	const valueOf = (name) => fields.find(([key]) => name.test(key))?.[1] ?? '';
	const amount = valueOf(/^amount/i);
	const code = valueOf(/^(coin|currency|asset)$/i).toUpperCase();
	const words = [amount && `${group(amount)} ${code}`, valueOf(/alias/i), valueOf(/^status$/i)];
	return words.filter(Boolean).join(', ');
}

/** Why an attempt was not accepted, in the receiver's words. */
function reasonOf(attempt) {
	if (attempt === undefined) return '';
	const { status, error, answer } = attempt;
	if (status === undefined) return `No answer: ${error}`;
	try {
		const { reason, message } = JSON.parse(answer);
		return `Answer ${status}: ${reason ?? message ?? answer}`;
	} catch {
		return `Answer ${status}: ${answer}`;
	}
}

function attemptRow({ at, status, error, durationMs, answer }) {
	const outcome = status === undefined ? `no answer: ${error}` : `${status} ${answer}`;
	return element('div', {}, `${time(at)}, ${durationMs} ms, ${outcome}`);
}

const showCredential = list(
	byId('credential'),
	([label]) => label,
	([label]) => {
		const value = element('dd');
		const copy = () =>
			navigator.clipboard.writeText(value.textContent).then(
				() => showMessage(`${label} is copied`),
				() => showMessage('The browser does not allow copying', true),
			);
		const copying = button('Copy', `Copy ${label}`, () => void copy());
		const node = element('div', { class: 'pair' }, element('dt', {}, label), value, copying);
		return { node, show: ([, text]) => setText(value, String(text)) };
	},
);

const registerUrl = (url) => {
	const done = url === '' ? 'Events are not delivered' : `Events go to ${url}`;
	return callControl('PUT', 'webhook', { url: url || null }, done);
};

const showEarlierUrls = list(
	byId('earlier'),
	([url]) => url,
	([url]) => {
		const name = element('b');
		const use = button('Use again', `Use again: ${url}`, () => void registerUrl(url));
		const node = element('li', {}, element('div', {}, name, element('small', {}, url)), use);
		return { node, show: ([, workflow = '']) => setText(name, workflow) };
	},
);

const filterText = () => input('filter').value.trim().toLowerCase();

/** Whether a payout has the text of the filter. */
function passesFilter({ payout_id, amount, code, destination, status }) {
	const words = `${payout_id} ${amount} ${group(amount)} ${code} ${destination} ${status}`;
	return words.toLowerCase().includes(filterText());
}

/** What the service's one URL is: of which workflow, or a test URL. */
function wordsOfUrl(url, workflow) {
	if (url.includes('/webhook-test/'))
		return ['This is a test URL. n8n listens there for one event after each click.'];
	const others = 'If you enter yours, the workflow that has it now gets nothing.';
	return workflow === undefined
		? [`The service knows one URL. ${others}`]
		: [element('b', {}, workflow), ` has it. The service knows one URL. ${others}`];
}

function show(state, deliveries) {
	const { coins, network_coins, webhook, webhook_names } = state;
	const codes = Object.keys(state.balances);
	showBalances(Object.entries(state.balances));
	setOptions(form('funding').asset, codes);
	const proofs = state.funding_requests.filter(({ status }) => status === 'pending');
	const ids = proofs.map(({ id }) => id);
	setOptions(form('funding').funding_request, ['', ...ids]);
	const currencies = codes.filter((code) => !coins.includes(code));
	setOptions(form('issue').currency, currencies);
	const coinsOf = (network) => (Object.hasOwn(network_coins, network) ? network_coins[network] : coins);
	const wallets = state.crypto_wallets.map((wallet) => ({ ...wallet, coins: coinsOf(wallet.network) }));
	showAccounts([...state.virtual_accounts.map((account) => ({ ...account, coins: [] })), ...wallets]);
	showDestinations([...state.settlement_accounts, ...state.settlement_wallets]);
	const payouts = state.payouts.filter(passesFilter).slice(-MAX_ENTRIES).toReversed();
	byId('payouts').dataset.none = filterText() === '' ? NO_PAYOUTS : `No payout has "${filterText()}".`;
	showPayouts([...state.faults.map((fault, index) => ({ fault, index })), ...payouts]);
	setOptions(form('sample').event, state.events);
	setValue(form('settle').settleAfterMs, String(state.settings.settleAfterMs));
	setValue(form('webhook').url, webhook.url ?? '');
	byId('owner').replaceChildren(...wordsOfUrl(webhook.url ?? '', webhook_names[webhook.url]));
	showEarlierUrls(webhook.earlier.map((url) => [url, webhook_names[url]]));
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
		const searched = input('filter').value === '' ? MAX_ENTRIES : MAX_SEARCHED;
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
	form(id).addEventListener('submit', (event) => {
		event.preventDefault();
		void send(Object.fromEntries(new FormData(form(id), event.submitter)), event.submitter);
	});
}

onSubmit('funding', ({ funding_request, ...funding }) => {
	const done = `${funding.direction} of ${group(funding.amount)} ${funding.asset}`;
	const request = funding_request === '' ? funding : { ...funding, funding_request };
	return callControl('POST', 'admin_funding', request, done);
});
onSubmit('issue', async (account) => {
	const issued = await callControl('POST', 'virtual_accounts', account, `${account.alias} is issued`);
	if (issued !== undefined) form('issue').alias.value = '';
});
onSubmit('webhook', ({ url }) => registerUrl(url));
onSubmit('sample', (sample) => callControl('POST', 'events', sample, `A sample of ${sample.event} is sent`));
onSubmit('fault', ({ route, kind }, { textContent }) => {
	const [choice] = form('fault').route.selectedOptions;
	const done = `The next ${choice.text}: ${textContent}`;
	return callControl('POST', 'faults', { route, ...JSON.parse(kind) }, done);
});
byId('filter').addEventListener('input', () => void refresh());
form('settle').addEventListener('change', () => {
	const { settleAfterMs: chosen } = form('settle');
	const [choice] = chosen.selectedOptions;
	const settleAfterMs = JSON.parse(chosen.value);
	void callControl('PUT', 'settings', { settleAfterMs }, `A pending payout succeeds ${choice.text}`);
});
byId('reset').addEventListener('click', () => {
	if (!window.confirm('Delete all changes except the webhook URL and the settings?')) return;
	void callControl('POST', 'reset', undefined, 'The initial state is restored');
});

const live = new EventSource('/_sandbox/changes');
const showLive = (text, tone) => {
	byId('live').className = `badge ${tone}`;
	setText(byId('live'), text);
};
live.onopen = async () => {
	showLive('live', 'successful');
	const credential = await callControl('GET', 'credential');
	if (credential !== undefined) showCredential(Object.entries(credential));
};
live.onmessage = () => void refresh();
// EventSource reconnects when the sandbox is back.
live.onerror = () => showLive('no connection', 'failed');
