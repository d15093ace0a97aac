import { add, placesOf, subtract, unitsOf } from './decimal.js';
import { isSame } from './bookEvent.js';
import { isDecimal, negate } from './movement.js';
import { isZero, readBook } from './readBook.js';
import { oneLine } from './text.js';

/** @param {string[]} amounts */
const sumOf = (amounts) => amounts.reduce(add, '0');

/** @param {string} amount */
const isNegative = (amount) => amount.startsWith('-') && !isZero(amount);

/**
 * The sets of amounts that add up to a sum, without those that hold another such set. All sets of a few amounts, and the small
 * sets of many. A fiat balance shows two decimals, so a sum may be less than one unit away.
 * @param {string[]} amounts
 * @param {string} sum
 * @param {boolean} isRounded
 * @returns {number[][]} places in the list
 */
export function setsOf(amounts, sum, isRounded) {
	const places = Math.max(2, ...[sum, ...amounts].map(placesOf));
	const units = amounts.map((amount) => unitsOf(amount, places));
	const target = unitsOf(sum, places);
	const tolerance = isRounded ? 10n ** BigInt(places - 2) : 1n;
	/** @param {bigint} found */
	const isHit = (found) => found - target < tolerance && target - found < tolerance;
	/** @type {number[][]} */
	const hits = [];
	const MOST_HITS = 50;
	const most = units.length <= 14 ? units.length : units.length <= 60 ? 3 : units.length <= 1500 ? 2 : 1;
	/** @type {(from: number, left: number, found: bigint, chosen: number[]) => void} */
	const search = (from, left, found, chosen) => {
		if (left === 0) {
			const holds = hits.some((hit) => hit.every((place) => chosen.includes(place)));
			if (isHit(found) && !holds) hits.push(chosen);
			return;
		}
		for (let place = from; place <= units.length - left && hits.length < MOST_HITS; place++)
			search(place + 1, left - 1, found + units[place], [...chosen, place]);
	};
	for (let size = 1; size <= most && hits.length < MOST_HITS; size++) search(0, size, 0n, []);
	const all = units.map((_, place) => place);
	if (most < units.length && hits.length === 0 && isHit(units.reduce((a, b) => a + b, 0n))) hits.push(all);
	return hits;
}

const DAYS_OPEN = 7;

/**
 * The proof of one asset: last balance, movements since, balance, and what explains the difference.
 * @param {ProofInput} input
 */
export function prove(input) {
	const { asset, isFiat, balance, problem, cutOff, last } = input;
	const none = { asset, time: cutOff, opening: last?.balance ?? '', booked: '', difference: '' };
	/** @type {{ entries: Entry[], open: OpenPart[], causes: string[], notes: string[] }} */
	const nothing = { entries: [], open: [], causes: [], notes: [] };
	if (problem || balance === undefined || !isDecimal(balance))
		return {
			...{ ...none, ...nothing, balance: '', verdict: 'CANNOT BE READ' },
			lines: [oneLine(problem || `The service says: ${balance}`)],
		};
	/** @type {OpenPart[]} */
	const opened = JSON.parse(last?.open || '[]');
	const { entries, doubts, flying } = readBook(input, opened);
	// A person writes the amount later, and then it counts.
	const unread = doubts.filter(({ type }) => type === 'unread');
	const unanswered = doubts.filter(({ type }) => type === 'waits');
	/** @type {(type: OpenPart['type'], of: { key: string, amount: string, fee?: string }) => OpenPart} */
	const part = (type, { key, amount, fee }) => ({ type, key, amount, fee, since: cutOff });
	const sent = flying.map((each) => part('sent', each));
	if (!last)
		return {
			...{ ...none, ...nothing, balance, verdict: 'first proof' },
			open: [...sent, ...unanswered.map((each) => part('unclear', each))],
			lines: ['The next proof starts from this balance.'],
		};

	const counted = entries.filter(
		({ key, time }) =>
			(time > last.time || opened.some((each) => each.type === 'unread' && each.key === key)) &&
			time <= cutOff,
	);
	const booked = sumOf(counted.map(({ amount }) => amount));
	const difference = subtract(balance, add(last.balance, booked));
	/** @type {(amounts: string[], sum: string) => number[][]} */
	const sets = (amounts, sum) => setsOf(amounts, sum, isFiat);
	const isEven = sets(['0'], difference).length > 0;

	const oldest = new Date(new Date(cutOff).getTime() - DAYS_OPEN * 86_400_000).toISOString();
	const parts = opened.filter(
		({ since, type, key }) =>
			since > oldest || (type !== 'waits' && unanswered.some((each) => each.key === key)),
	);
	const dateOf = (/** @type {OpenPart} */ { since }) => since.slice(0, 10);
	const partOf = (/** @type {string} */ key, /** @type {Array<OpenPart['type']>} */ ...types) =>
		parts.find((each) => each.key === key && types.includes(each.type));

	// A payment without an answer may have moved the balance before its row was written.
	const earlier = new Map(
		unanswered.map(({ key, amount, time }) => {
			const known = partOf(key, 'gone', 'unclear');
			const taken = parts.find((each) => each.type === 'none' && sets([each.amount], amount).length > 0);
			const isNew = time > last.time || partOf(key, 'waits');
			return [
				key,
				known ??
					(isNew
						? taken && time > last.time
							? { ...taken, fee: '0', type: /** @type {const} */ ('gone') }
							: undefined
						: part('unclear', { key, amount })),
			];
		}),
	);
	const waiting = unanswered.filter(({ key }) => !earlier.get(key));

	// What would balance an earlier difference.
	/** @type {Candidate[]} */
	const closing = parts.flatMap((each) => {
		const { key, amount, type } = each;
		const candidate = { key, amount: negate(amount), closes: each };
		if (type === 'late')
			return [{ ...candidate, words: `${key} moved the balance now. It was missing on ${dateOf(each)}` }];
		if (type === 'waits') {
			const row = entries.find((entry) => entry.key === key && entry.time <= last.time);
			const words = `${row?.words}, had no answer on ${dateOf(each)}, and moved the balance after that`;
			return row ? [{ ...candidate, amount, words }] : [];
		}
		const rows =
			type === 'none' ? counted : type === 'early' ? counted.filter((entry) => entry.key === key) : [];
		// The fee may never be reported.
		const [set] = [
			...sets(
				rows.map((entry) => entry.amount),
				amount,
			),
			...sets(
				rows.map((entry) => add(entry.amount, entry.unreported ?? '0')),
				amount,
			),
		];
		const named = set?.map((place) => rows[place].words).join(' and ');
		const words = `${named} moved the balance before its row. It was in the difference of ${dateOf(each)}`;
		const sum = sumOf((set ?? []).map((place) => rows[place].amount));
		return set ? [{ ...candidate, amount: negate(sum), words }] : [];
	});
	const fees = counted.filter(({ kind }) => kind === 'fee').map(({ amount }) => amount);
	/** @type {Candidate[]} */
	const during = entries
		.filter(({ time }) => time > cutOff)
		.sort((a, b) => Number(a.time > b.time) - Number(a.time < b.time))
		.map(({ key, amount, words }) => ({
			...{ key, amount, words: `${words}, came while the balance was read`, isUnderWay: true },
			type: /** @type {const} */ ('early'),
		}));
	/** @type {Candidate[]} */
	const strong = [
		...closing,
		...waiting,
		...doubts.filter(({ type, time }) => type !== 'waits' && time > last.time),
		...during,
	].filter(({ amount }) => !isZero(amount));
	const hints = [...strong, ...doubts.filter(({ amount, time }) => isZero(amount) && time > last.time)];
	/** @type {Candidate[]} */
	const withoutFees = [
		...strong,
		{
			...{ key: 'fees', amount: negate(sumOf(fees)) },
			words: 'the service took no fees from this balance. If it never does, set feesOnTop to false',
		},
	];
	/** @type {Candidate[]} */
	const weak = counted
		.filter(({ kind, amount }) => kind !== 'fee' && !isZero(amount))
		.map(({ key, amount, words, isUnderWay, kind }) => ({
			...{
				key,
				amount: negate(amount),
				isUnderWay,
				isWeak: !isUnderWay,
				type: /** @type {const} */ ('late'),
			},
			words: isUnderWay
				? `${words}, is under way: it has not moved the balance yet`
				: kind === 'payout'
					? `${words}, is paid in the table, and its amount is still in the balance. Ask the service`
					: `${words}, is booked, and did not move the balance. Ask the service`,
		}));

	/** @type {(candidates: Candidate[]) => Candidate[][]} */
	const explain = (candidates) =>
		sets(
			candidates.map(({ amount }) => amount),
			difference,
		).map((set) => set.map((place) => candidates[place]));
	const underWay = weak.filter(({ isWeak }) => !isWeak);
	// Of a list that was being paid, the first rows have moved the balance.
	const firstRows = during
		.map((_, index) => during.slice(0, index + 1))
		.filter((set) => sets([sumOf(set.map(({ amount }) => amount))], difference).length > 0);
	/** @type {Array<() => Candidate[][]>} */
	const ways = [
		() => explain(strong),
		() => firstRows,
		() => (fees.length > 0 ? explain(withoutFees) : []),
		() => explain([...strong, ...underWay]),
		() => explain([...strong, ...weak]),
	];
	const found = [];
	for (const way of isEven ? [] : ways) if (found.length === 0) found.push(...way());
	const [chosen = []] = found;
	const all = new Set(found.flat());

	const gone = isNegative(difference);
	const withoutFee = counted.filter(
		({ kind, reference, isUnderWay }) =>
			kind === 'payout' && isUnderWay && !isFiat && !entries.some(({ key }) => key === `fee:${reference}`),
	);
	const room = sumOf(withoutFee.map(({ amount }) => amount));
	// Fees are small beside the amounts.
	const areFees =
		found.length === 0 && gone && !isNegative(subtract(sumOf(Array(10).fill(difference)), room));
	const isOpen = !isEven && found.length === 0;

	/** @type {OpenPart[]} */
	const left = parts.filter(
		(each) =>
			!['sent', 'waits', 'gone', 'unclear', 'unread'].includes(each.type) &&
			!chosen.some(
				({ closes, amount }) =>
					closes === each || (each.type === 'none' && isSame(amount, negate(each.amount))),
			) &&
			![...earlier.values()].some((taken) => taken?.since === each.since && taken.amount === each.amount),
	);
	/** @type {OpenPart[]} */
	const open = [
		...sent,
		...unread.map((each) => part('unread', each)),
		...left,
		...chosen
			.filter(({ type }) => type && type !== 'waits')
			.map(({ type = 'early', key, amount }) => part(type, { key, amount })),
		...unanswered.map((each) => {
			const known = earlier.get(each.key);
			if (known) return { ...known, key: each.key };
			const candidate = strong.find(({ key }) => key === each.key);
			const isChosen = candidate && found.length === 1 && chosen.includes(candidate) && !each.hasFailed;
			return part(
				isChosen ? 'gone' : isOpen || each.isNamed || (candidate && all.has(candidate)) ? 'unclear' : 'waits',
				each,
			);
		}),
		...(isOpen ? [part('none', { key: '', amount: difference })] : []),
	];

	const one = (/** @type {Candidate[]} */ set) =>
		set
			.map(({ amount, words, type, hasFailed }) => {
				const isSure = type === 'waits' && found.length === 1 && !hasFailed;
				return `${amount}: ${words}${isSure ? ', and looks paid. Answer that it was paid' : ''}.`;
			})
			.join(' ');
	const look = gone
		? 'Look in the dashboard for a payout, conversion or debit that is in no row, and for a deposit that was taken back.'
		: 'Look in the dashboard for a deposit or credit whose event did not come, and for a payout that came back.';
	const lines = isEven
		? []
		: areFees
			? [
					`${difference} ${asset} can be fees that are not reported yet, of ${withoutFee.length} ${withoutFee.length === 1 ? 'payout' : 'payouts'} in coins.`,
				]
			: isOpen
				? [
						`No row explains ${difference} ${asset}. ${look}`,
						...(gone
							? ['If n8n stopped while it paid, run your last list again: pay once then writes the row.']
							: []),
						...(hints.length > 0
							? [
									`Perhaps a part of it: ${hints
										.slice(0, 5)
										.map((each) => one([each]))
										.join(' ')}`,
								]
							: []),
					]
				: [
						...(found.length === 1
							? [one(chosen)]
							: ['One of these explains it:', ...found.slice(0, 3).map(one)]),
						...(found.length > 3 ? [`And ${found.length - 3} other ways.`] : []),
						...(chosen.some(({ isWeak }) => isWeak) ? [`Or it is in no row. ${look}`] : []),
					];
	const notes = [
		...open.flatMap(({ key, type, since }) => {
			const row = unanswered.find((each) => each.key === key);
			const words = row && oneLine(row.words);
			if (type === 'waits') return [`${words}. Its amount did not leave the balance: it looks not paid.`];
			if (type === 'gone' && since !== cutOff)
				return [`${words}. It looks paid since ${since.slice(0, 10)}. Answer that it was paid.`];
			if (type === 'unclear') return [`${words}. The balance does not tell if it was paid.`];
			return [];
		}),
		...left
			.filter(({ type }) => type === 'none' || type === 'late')
			.map((each) => `Still open since ${dateOf(each)}: ${each.amount} ${asset} ${each.key}`.trim() + '.'),
	];
	const verdict = isEven
		? 'proved'
		: isOpen && !areFees
			? 'NOT EXPLAINED'
			: areFees || found.every((set) => set.every(({ isUnderWay, closes }) => isUnderWay || closes))
				? 'under way'
				: 'explained';
	return {
		...{ asset, time: cutOff, opening: last.balance, booked, balance, difference: isEven ? '0' : difference },
		...{ verdict, lines, notes, open, entries: counted, causes: chosen.map(({ key }) => key) },
	};
}
