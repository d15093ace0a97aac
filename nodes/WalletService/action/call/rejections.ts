/**
 * Statuses that, with a JSON object as their body, prove that the service did nothing. Any other answer from 400 on proves
 * nothing: it may come from a gateway after the service acted. A table: no logic.
 */
export const DEFINITE_REJECTIONS: ReadonlySet<number> = new Set([
	400, // Bad Request: the server does not process the request. RFC 9110, 15.5.1
	401, // Unauthorized: the request has not been applied. RFC 9110, 15.5.2
	403, // Forbidden: the server refuses to fulfill the request. RFC 9110, 15.5.4
	404, // Not Found: there is no such resource. RFC 9110, 15.5.5
	405, // Method Not Allowed. RFC 9110, 15.5.6
	406, // Not Acceptable. RFC 9110, 15.5.7
	410, // Gone. RFC 9110, 15.5.11
	411, // Length Required: the server refuses to accept the request. RFC 9110, 15.5.12
	413, // Content Too Large: the server refuses to process the request. RFC 9110, 15.5.14
	414, // URI Too Long: the server refuses to service the request. RFC 9110, 15.5.15
	415, // Unsupported Media Type: the server refuses to service the request. RFC 9110, 15.5.16
	421, // Misdirected Request. RFC 9110, 15.5.20
	422, // Unprocessable Content: the server was unable to process the instructions. RFC 9110, 15.5.21
	426, // Upgrade Required: the server refuses to perform the request. RFC 9110, 15.5.22
	428, // Precondition Required. RFC 6585, 3
	429, // Too Many Requests. RFC 6585, 4
	431, // Request Header Fields Too Large: the server is unwilling to process the request. RFC 6585, 5
]);
