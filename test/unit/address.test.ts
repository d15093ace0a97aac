/** Base URL and path make one address, only with https or on this machine. */
import { serviceUrl } from '../../api/address.ts';

test.each(['https://api.example.com', 'https://api.example.com/v1/', ' https://api.example.com/v1// '])(
	'with the Base URL %p the path /v1 appears once',
	(baseUrl) => {
		expect(serviceUrl(baseUrl, '/v1/rates').href).toBe('https://api.example.com/v1/rates');
		expect(serviceUrl(baseUrl, 'v1/rates').href).toBe('https://api.example.com/v1/rates');
	},
);

test.each([
	['https://example.com/wallet/v1/', '/v1/rates?a=1', 'https://example.com/wallet/v1/rates?a=1'],
	['https://v1.example.com', '/v1/rates', 'https://v1.example.com/v1/rates'],
	['https://example.com/v1', '/v2/rates', 'https://example.com/v1/v2/rates'],
	['https://example.com/v1', 'https://example.com/v1/v1/x', 'https://example.com/v1/v1/x'],
	['http://localhost:3000/v1', '/v1/rates', 'http://localhost:3000/v1/rates'],
	['http://[::1]:3000', '/v1/rates', 'http://[::1]:3000/v1/rates'],
])('below %s the path %s is %s', (baseUrl, path, href) => {
	expect(serviceUrl(baseUrl, path).href).toBe(href);
});

const NO_ADDRESS = 'Base URL is not a whole address. Enter one such as https://api.example.com';
const HAS_QUERY = 'Base URL contains ? or #. Enter only the address, such as https://api.example.com';
const NO_HTTPS = 'Base URL must begin with https://. Only localhost may use http://';

test.each([
	['', NO_ADDRESS],
	['api.example.com/v1', NO_ADDRESS],
	['https://', NO_ADDRESS],
	['https://api.example.com?key=1', HAS_QUERY],
	['http://localhost:3000#', HAS_QUERY],
	['http://api.example.com', NO_HTTPS],
	['http://localhost.example.com', NO_HTTPS],
	['http://127.0.0.1.example.com', NO_HTTPS],
	['http://localhost@example.com', NO_HTTPS],
	['localhost:3000', NO_HTTPS],
])('the Base URL %p is refused: %s', (baseUrl, message) => {
	expect(() => serviceUrl(baseUrl, '/v1/rates')).toThrow(message);
});

const ELSEWHERE =
	/^This credential signs only requests below its Base URL, https:\/\/.*, and not to .*\. Correct/;

test.each([
	['https://api.example.com', 'https://api.example.com/v1/rates'],
	['https://api.example.com/v1', 'https://API.example.com:443/v2/any?a=https://evil.example'],
	['https://api.example.com/v1', 'https://api.example.com'],
	['https://example.com/wallet/v1', 'https://example.com/wallet/v1/rates'],
	['https://example.com/wallet/', 'https://example.com/wallet?a=1'],
	['https://example.com/wallet', 'https://example.com/other/../wallet/v2'],
	['http://localhost:3000', 'http://localhost:3000/v1/rates'],
])('for the Base URL %s, %s is an address of its own', (baseUrl, address) => {
	expect(serviceUrl(baseUrl, address).href).toBe(new URL(address).href);
});

test.each([
	['https://api.example.com', 'https://evil.example/v1/rates'],
	['https://api.example.com', 'https://api.example.com.evil.example/v1/rates'],
	['https://api.example.com', 'https://api.example.com@evil.example/v1/rates'],
	['https://api.example.com', 'https://www.example.com/v1/rates'],
	['https://api.example.com', 'https://api.example.com:8443/v1/rates'],
	['https://api.example.com', 'http://api.example.com/v1/rates'],
	['https://api.example.com', 'http://localhost/v1/rates'],
	['https://api.example.com', 'https://api.examp1e.com/v1/rates'],
	['https://example.com/wallet', 'https://example.com/v1/rates'],
	['https://example.com/wallet/v1', 'https://example.com/wallets/v1/rates'],
	['https://example.com/wallet', 'https://example.com/wallet/../v1/rates'],
	['https://example.com/wallet', 'https://example.com/wallet/%2e%2e/v1/rates'],
])('for the Base URL %s, %s is the address of somebody else', (baseUrl, address) => {
	expect(() => serviceUrl(baseUrl, address)).toThrow(ELSEWHERE);
});

test('a base that a node gives must be below the Base URL, too', () => {
	const url = (base: string, path: string) => serviceUrl('https://example.com/wallet', path, base).href;
	expect(url('https://example.com/wallet/v2', '/rates')).toBe('https://example.com/wallet/v2/rates');
	expect(url('https://evil.example', 'https://example.com/wallet/v1')).toBe('https://example.com/wallet/v1');
	expect(() => url('https://evil.example', '/v1/rates')).toThrow(ELSEWHERE);
});
