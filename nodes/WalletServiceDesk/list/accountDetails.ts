/** What the service says of a destination (`GTBank, Supplier Ltd, …6789`), compared by its values: our text of it may change. */

interface Account {
	/** The characters of its number or address that are shown. */
	number: string;
	/** Bank, holder and network, as far as they are known, the bank or network of a wallet without a bank at one end. */
	names: string[];
}

/** Whether two texts are of one account, as far as they can be compared. Of an alias with several accounts, each must be the same. */
export function isSameAccount(one: string, other: string): boolean {
	const [accounts, others] = [accountsIn(one), accountsIn(other)];
	const isIn = (account: Account, all: Account[]) => all.some((each) => areAlike(account, each));
	return accounts.every((account) => isIn(account, others)) && others.every((each) => isIn(each, accounts));
}

function accountsIn(details: string): Account[] {
	return details.split(/(?<=…\S+) or /).map((text) => {
		const parts = text.split(',').map(folded);
		const isNumber = (part: string) => part.startsWith('…');
		return {
			number: (parts.find(isNumber) ?? '').slice(1),
			names: parts.filter((part) => part !== '' && !isNumber(part)),
		};
	});
}

function folded(text: string): string {
	return text
		.normalize('NFKC')
		.replaceAll('...', '…')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}…]+/gu, '');
}

/** Characters of a number that are enough to know it again. */
const FEWEST = 4;

/** A number may be shown with more digits, and a name may be missing. The first name is that of the bank. */
function areAlike(one: Account, other: Account): boolean {
	const [short = '', long = ''] = [one.number, other.number].sort((a, b) => a.length - b.length);
	const isShown = short === '' || short === long || short.length >= FEWEST;
	if (!isShown || !long.endsWith(short)) return false;
	const [bank, otherBank] = [one.names[0], other.names[0]];
	if (bank === undefined || otherBank === undefined || bank === otherBank) return true;
	return (
		one.names.length !== other.names.length && (one.names.includes(otherBank) || other.names.includes(bank))
	);
}
