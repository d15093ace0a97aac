/**
 * The page of the sandbox: shows `/_sandbox/state` and `/_sandbox/deliveries`, and asks its controls for changes.
 * Everything shown was written by others, so it only ever becomes text. Nodes stay when data changes, which keeps the
 * keyboard's focus, what has been typed and what has been opened.
 */

const SHOWN = 50;

const byId = (id) => document.getElementById(id);

/** An element with properties (`class` and `aria-…` as attributes) and children, of which texts become text. */
function element(tag, properties = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name in made) made[name] = value;
		else made.setAttribute(name, value);
	}
	made.append(...children);
	return made;
}

/** Changes nothing where nothing changes, so that a selection stays. */
function setText(node, text) {
	if (node.textContent !== text) node.textContent = text;
}

function say(text, failed = false) {
	setText(byId('said'), text);
	byId('said').className = failed ? 'bad' : 'good';
}

/** Calls a control and says what came of it. Gives the answer; undefined where the control refused. */
async function ask(method, path, body, done) {
	try {
		const response = await fetch(`/_sandbox/${path}`, {
			method,
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const answer = await response.json();
		if (!response.ok) throw new Error(answer.error.message);
		if (done !== undefined) say(done);
		return answer;
	} catch (error) {
		say(error.message, true);
		return undefined;
	}
}

/** A button that asks for something. `label` says it in full, for those who hear it without its row. */
function button(text, label, press) {
	return element('button', { type: 'button', ariaLabel: label, onclick: press }, text);
}

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

/**
 * Keeps the children of a list in step with data. `make(item)` gives a node and a function that shows a newer version of
 * the same item; `keyOf(item)` says what is the same.
 */
function list(parent, keyOf, make) {
	const rows = new Map();
	return (items) => {
		const keys = new Set(items.map(keyOf));
		for (const [key, { node }] of rows) {
			if (keys.has(key)) continue;
			node.remove();
			rows.delete(key);
		}
		items.forEach((item, index) => {
			const key = keyOf(item);
			if (!rows.has(key)) rows.set(key, make(item));
			const { node, show } = rows.get(key);
			show(item);
			// Moving a node takes its focus away, so only what is out of place is moved.
			if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
		});
	};
}

/** Buttons that are no longer of use go; the focus stays with their row. */
function toggle(actions, shown) {
	if (!shown && actions.contains(document.activeElement)) actions.closest('li').focus();
	actions.hidden = !shown;
}

const showBalances = list(
	byId('balances'),
	([code]) => code,
	([code]) => {
		const amount = element('b');
		return { node: element('li', {}, code, amount), show: ([, value]) => setText(amount, value) };
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
			const what = `${amount.value} ${currency ?? coin.value}`;
			const body =
				currency === undefined
					? { wallet_alias: alias, coin: coin.value, amount: amount.value }
					: { alias, amount: amount.value };
			void ask('POST', 'deposits', body, `${what} arrived at ${alias}`);
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
		const decide = (decision) => () =>
			void ask('POST', 'reviews', { alias, decision }, `${alias} is ${decision}`);
		return {
			node: element(
				'li',
				{},
				element('div', {}, alias, ' ', badge, element('small', {}, `${kind}, ${detail}`)),
				element(
					'div',
					{ class: 'actions' },
					button('Approve', `Approve ${alias}`, decide('Whitelisted')),
					button('Reject', `Reject ${alias}`, decide('Rejected')),
				),
			),
			show: ({ status }) => showBadge(badge, status),
		};
	},
);

const showPayouts = list(
	byId('payouts'),
	({ payout_id }) => payout_id,
	({ payout_id, amount, code, destination, created_at }) => {
		const badge = element('span');
		const become = (status) => () =>
			void ask('POST', `payouts/${encodeURIComponent(payout_id)}`, { status }, `${payout_id} is ${status}`);
		const actions = element(
			'div',
			{ class: 'actions' },
			button('Succeeds', `Payout ${payout_id} succeeds`, become('successful')),
			button('Fails', `Payout ${payout_id} fails`, become('failed')),
		);
		const words = element(
			'div',
			{},
			`${amount} ${code} to ${destination} `,
			badge,
			element('small', {}, `${payout_id}, ${time(created_at)}`),
		);
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
		const again = () =>
			void ask('POST', `deliveries/${encodeURIComponent(id)}/redeliver`, undefined, `${event} is sent again`);
		const table = element(
			'table',
			{},
			element(
				'thead',
				{},
				element(
					'tr',
					{},
					...['Attempt', 'Answer', 'Took', 'Body'].map((name) => element('th', { scope: 'col' }, name)),
				),
			),
			attempts,
		);
		const content = element(
			'div',
			{},
			element('small', {}, id),
			element('pre', { tabIndex: 0, ariaLabel: 'Payload' }, indent(body)),
			element('div', { class: 'scroll' }, table),
			button('Send again', `Send ${event} ${id} again`, again),
		);
		const summary = element(
			'summary',
			{},
			element('time', { dateTime: created_at }, time(created_at)),
			` ${event} `,
			badge,
			' ',
			count,
		);
		return {
			node: element('li', {}, element('details', {}, summary, content)),
			show: (delivery) => {
				showBadge(badge, delivery.status);
				const { length } = delivery.attempts;
				setText(count, length === 1 ? '1 attempt' : `${length} attempts`);
				// Attempts are only ever added.
				attempts.append(...delivery.attempts.slice(attempts.children.length).map(attemptRow));
			},
		};
	},
);

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
	([name]) => name,
	([name]) => {
		const value = element('dd');
		const node = element('div', { class: 'pair' }, element('dt', {}, name), value);
		return { node, show: ([, text]) => setText(value, String(text)) };
	},
);

/** The time of day, in the reader's own clock. */
function time(iso) {
	return new Date(iso).toLocaleTimeString();
}

/** JSON over several lines, with its digits as they are: parsing would round numbers. */
function indent(json) {
	let depth = 0;
	const breakLine = () => `\n${'  '.repeat(depth)}`;
	return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => {
		if (token === '{' || token === '[') {
			depth += 1;
			return token + breakLine();
		}
		if (token === '}' || token === ']') {
			depth -= 1;
			return breakLine() + token;
		}
		return token === ',' ? token + breakLine() : token === ':' ? ': ' : token;
	});
}

/** The choices of a select, of which one that is still there stays chosen. `choices`: value, or value and words. */
function setOptions(select, choices) {
	const pairs = choices.map((choice) => (Array.isArray(choice) ? choice : [choice, choice]));
	if ([...select.options].map(({ value }) => value).join('\n') === pairs.map(([value]) => value).join('\n'))
		return;
	const { value: chosen } = select;
	select.replaceChildren(...pairs.map(([value, words]) => element('option', { value }, words)));
	if (pairs.some(([value]) => value === chosen)) select.value = chosen;
}

/** What the page does not let others change under its user's hands. */
function setValue(field, value) {
	if (document.activeElement !== field) field.value = value;
}

/** Others may have set a time that is none of the choices. */
function showSettling(settleAfterMs) {
	const { settleAfterMs: select } = byId('settle');
	const value = String(settleAfterMs);
	if (![...select.options].some((option) => option.value === value)) {
		select.append(element('option', { value }, `after ${value} ms`));
	}
	setValue(select, value);
}

function show(state, deliveries) {
	const { coins } = state;
	const codes = Object.keys(state.balances);
	showBalances(Object.entries(state.balances));
	setOptions(byId('funding').asset, codes);
	setOptions(byId('funding').funding_request, [
		['', 'none'],
		...state.funding_requests
			.filter(({ status }) => status === 'pending')
			.map(({ id, pop }) => [id, `${id}: ${pop.slice(0, 60)}`]),
	]);
	setOptions(
		byId('issue').currency,
		codes.filter((code) => !coins.includes(code)),
	);
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
			coins,
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
			detail: `${network} ${address}, ${asset_supported}`,
			status,
		})),
	]);
	showPayouts(state.payouts.toReversed());
	showSettling(state.settings.settleAfterMs);
	setValue(byId('webhook').url, state.webhook.url ?? '');
	showDeliveries(deliveries.results.toReversed());
}

let asked = false;
let wanted = false;

/** Asks for everything that is shown; once more afterwards where something changed in the meantime. */
async function refresh() {
	wanted = true;
	if (asked) return;
	asked = true;
	while (wanted) {
		wanted = false;
		const [state, deliveries] = await Promise.all([
			ask('GET', `state?last=${SHOWN}`),
			ask('GET', `deliveries?last=${SHOWN}`),
		]);
		if (state !== undefined && deliveries !== undefined) show(state, deliveries);
	}
	asked = false;
}

/** What a form asks for when it is sent; `read` makes a request of its fields. */
function onSubmit(id, send) {
	byId(id).addEventListener('submit', (event) => {
		event.preventDefault();
		void send(Object.fromEntries(new FormData(byId(id))));
	});
}

onSubmit('funding', ({ funding_request, ...funding }) => {
	const done = `${funding.direction} of ${funding.amount} ${funding.asset}`;
	const request = funding_request === '' ? funding : { ...funding, funding_request };
	return ask('POST', 'admin_funding', request, done);
});
onSubmit('issue', async (account) => {
	const issued = await ask('POST', 'virtual_accounts', account, `${account.alias} is issued`);
	if (issued !== undefined) byId('issue').alias.value = '';
});
onSubmit('webhook', ({ url }) =>
	ask(
		'PUT',
		'webhook',
		{ url: url === '' ? null : url },
		url === '' ? 'Events are not delivered' : `Events go to ${url}`,
	),
);
onSubmit('sample', (sample) => ask('POST', 'events', sample, `A sample of ${sample.event} is sent`));
byId('settle').addEventListener('change', ({ target }) => {
	const [choice] = target.selectedOptions;
	void ask(
		'PUT',
		'settings',
		{ settleAfterMs: JSON.parse(target.value) },
		`A pending payout succeeds ${choice.text}`,
	);
});
byId('reset').addEventListener('click', () => {
	if (!window.confirm('Forget everything but the webhook URL and the settings?')) return;
	void ask('POST', 'reset', undefined, 'Everything is as at the start');
});

const live = new EventSource('/_sandbox/changes');
live.onopen = async () => {
	byId('live').className = 'badge good';
	setText(byId('live'), 'live');
	const credential = await ask('GET', 'credential');
	if (credential !== undefined) showCredential(Object.entries(credential));
};
live.onmessage = () => void refresh();
// It comes back by itself as soon as the sandbox does.
live.onerror = () => {
	byId('live').className = 'badge bad';
	setText(byId('live'), 'no connection');
};
