/**
 * The closed vocabulary of refusals: every word, phrase and field that an answer may have and still prove that nothing was done.
 * A word that could tell of a payment that was made, waits or comes later stands in none of these tables, or only in a phrase
 * that cannot. Tables only; tokens.ts, refusalText.ts and refusalBody.ts read them.
 *
 * Plural forms need no entry. In a phrase, `not` stands for all words of NOT, and up to three words may stand in place of `…`.
 */
import { listed } from './words.ts';

/** Other ways to write "not". */
export const NOT = listed(
	'cannot, never, unable, without, neither, nor, cant, dont, doesnt, didnt, isnt, arent, wasnt, werent, hasnt, havent',
	'hadnt, wont, wouldnt, couldnt, shouldnt, mustnt, nao, pas',
);

/** What a refusal calls the payment, and what it moves. */
export const PAYMENT = listed(
	'payout, payment, transaction, transfer, withdrawal, withdraw, disbursement, remittance, order, conversion, trade',
	'txn, trx, tx, purchase, deposit, charge, payin, topup, payroll, billing, debit, checkout, pagamento, pago',
	'paiement, transacao, transaccion, transferencia, virement, saque, retiro, ordem, orden, pedido, lancamento',
	'cobranca, devolucao',
);

/** What a payment moves, and what asks for it. */
const MOVED = listed('request, money, fund, amount, operation');

export const PAYMENT_OR_MOVED = [...PAYMENT, ...MOVED];

/** Words of grammar. Not among them: will, would, could, can, but, if, until, after, before, then, still, now, one, some, more, other, instead. */
export const GRAMMAR = listed(
	'a, an, the, this, that, these, those, which, it, its, their, there, here, you, your, we, our, us, i, is, are, was',
	'were, be, been, am, has, have, had, do, does, did, must, should, of, to, for, from, in, on, at, by, with, within',
	'under, between, as, or, and, either, than, not, no, non, only, any, both, because, due, why, what, per, via, into',
	'onto, o, os, um, uma, el, la, las, los, le, les, un, una, une, de, da, das, dos, del, du, des, em, na, nas, en, au',
	'para, por, pelo, pela, pour, com, con, avec, que, qui, e, y, et, ou, ao, al, se, seu, sua, su, sus, votre, es, son',
	'esta, esto, este, ce, cette, ser, est, deve, devem, debe, deben, doit, ne, n, d, l',
);

export const WORDS = [
	...PAYMENT_OR_MOVED,
	...GRAMMAR,
	// Who is spoken of.
	...listed(
		'beneficiary, recipient, receiver, sender, payee, payer, initiator, customer, user, username, member, merchant',
		'business, company, individual, client, partner, counterparty, holder, organization, organisation, brand, processor',
		'provider, gateway, platform, payor, participant, biller, vendor, seller, buyer, shopper, employee, employer',
		'contractor, director, shareholder, representative, owner, cardholder, creditor, debtor, remitter, originator',
		'institution, issuer, acquirer, scheme, broker, agent, carrier, operator, shop, tenant, workspace, project, team',
		'person, people, guardian, parent, child, affiliate, reseller, correspondent, intermediary, custodian, trustee',
		'party, developer, administrator, admin, profile, consumer, subscriber, subaccount',
	),
	// What a payment needs.
	...listed(
		'account, acct, wallet, ewallet, balance, bank, branch, iban, bic, swift, ifsc, aba, nuban, iso, currency, ccy',
		'coin, asset, crypto, cryptocurrency, fiat, cash, cashout, network, chain, blockchain, onchain, gas, token, address',
		'addr, memo, tag, fee, rate, quote, pair, price, contract, liquidity, margin, market, trading, symbol, quantity',
		'qty, lot, notional, exchange, corridor, imps, pix, sepa, ach, wire, fedwire, rtp, fps, chaps, neft, rtgs, upi, nip',
		'tron, ethereum, bitcoin, polygon, solana, litecoin, stellar, lightning, bsc, trc20, erc20, bep20, prefunded',
		'checksum, card, cardno, cvv, expiry, msisdn, phone, mobile, email, country, city, province, street, postal',
		'postcode, zip, region, jurisdiction, birth, tax, age, identity, identification, identifier, passport, document',
		'kyc, kyb, name, surname, firstname, lastname, number, digit, code, id, uuid, guid, alias, type, kind, mode, level',
		'tier, plan, purpose, narration, narrative, remark, note, description, metadata, destination, source, target',
		'origin, channel, product, service, feature, item, instrument, option, preference, side, specification, requirement',
	),
	...listed(
		'pan, cvc, csc, luhn, expiration, installment, bin, visa, mastercard, amex, maestro, rupay, paypal, klarna, ideal',
		'giropay, sofort, bancontact, twint, swish, mbway, multibanco, bizum, oxxo, spei, clabe, cbu, cvu, cci, rut, cpf',
		'cnpj, ein, ssn, itin, vat, gst, tin, nin, bvn, curp, rfc, dni, nie, nif, cuit, cuil, cedula, ruc, abn, acn, bsb',
		'iin, lei, mcc, mid, upc, sku, gtin, isin, cusip, ticker, sha, ben, fx, forex, otc, spot, commission, tariff',
		'surcharge, markup, spread, discount, coupon, voucher, promo, promotion, gift, reward, loyalty, point, mile, tip',
		'gratuity, subtotal, subject, category, subcategory, denomination, unit, fraction, percentage, ratio, interest',
		'loan, mortgage, salary, wage, income, revenue, turnover, occupation, profession, industry, sector, nationality',
		'citizenship, residence, residency, gender, sex, title, middle, maiden, marital, marriage, spouse, family',
		'neighborhood, neighbourhood, district, municipality, county, building, apartment, floor, suite, house, town',
		'village, landmark, latitude, longitude, coordinate, location, place, area, territory, zone, timezone, locale',
		'language, weight, height, width, depth, dimension, volume, package, parcel, shipment, shipping, freight, customs',
		'incoterm, warehouse, courier, dropoff, label, manifest, pallet, hs, inventory, stock, catalog, catalogue, cart',
		'basket, variant, model, series, serial, vehicle, license, licence, registration, certificate, image, picture, file',
		'upload, pdf, png, jpg, jpeg, csv, mime, directory, domain, hostname, port, ssl, tls, protocol, csrf, device',
		'fingerprint, ios, android, web, sdk, cli, module, component, library, node, cluster, filter, sort, cursor',
		'offset, page, pagination, key, hash, digest, algorithm, sat, eth, btc, usdt, usdc, stablecoin, leverage',
		'collateral, derivative, isolated, bid, buy, sell, maker, taker, tick, orderbook, capability, entitlement',
		'privilege, audience, realm, group, whitelist, allowlist, whitelisting, aml, pep, sanction, consent, mandate',
		'agreement, disclosure, regulation, regulatory, law, context, constraint, criteria, criterion, condition, rule',
		'default, setting, config, configuration, template, placeholder, root, nested, tree, map, hexadecimal, bit, kb, mb',
		'gb, checkdigit, punctuation, dash, hyphen, underscore, dot, comma, colon, semicolon, slash, backslash, bracket',
		'brace, parenthesis, unicode, bearer, basic, header, verb, zipcode, street1, line1, line2, address1, address2',
		'addressline, year, sum, count, nickname, usage, capacity, budget, prepaid, postpaid, momo, mpesa, qr, barcode, nfc',
		'terminal, pos, reader, atm, cheque, echeck, savings, saving, checking, giro, joint, personal, corporate',
		'commercial, retail, wholesale, nonprofit, government',
	),
	// What a request is made of.
	...listed(
		'api, apikey, secret, secretkey, credential, password, passphrase, login, body, payload, parameter, param, argument',
		'field, property, attribute, element, object, value, input, data, content, json, xml, schema, syntax, structure',
		'format, pattern, regex, regexp, expression, length, size, range, precision, scale, decimal, character, letter',
		'string, integer, numeric, alphanumeric, boolean, float, array, list, enum, date, dd, mm, yyyy, timestamp, resource',
		'entity, endpoint, route, method, http, https, url, uri, media, version, ip, browser, window, recv, environment',
		'sandbox, scope, permission, right, role, grant, access, policy, terms, tos, subscription, application, app, unix',
		'millisecond, absolute, utf, base64, utf8, oauth, oauth2, jwt, null, nil, undefined, nan, true, false, zero, empty',
		'blank, information, info, detail, reason, message, error, err, exception, problem, fault, issue, violation, path',
		'hmac, hex, encoding, whitespace, space, prefix, suffix, smallest, largest, kobo, cent, pence, satoshi, wei',
		'additional, virtual, increment, test, upgrade, query, text, column, row, line, documentation, eapi, eorder, equery',
		'g, eg, ie',
	),
	// How something is, and how it should be. Not among them: valid, active, allowed, available, registered, approved.
	...listed(
		'invalid, incorrect, correct, wrong, bad, malformed, illegal, improper, properly, correctly, well, formed',
		'formatted, missing, absent, required, mandatory, obligatory, necessary, needed, supported, unsupported',
		'unavailable, disabled, inactive, eligible, ineligible, whitelisted, allowlisted, permitted, deprecated, positive',
		'negative, greater, larger, large, bigger, big, smaller, small, higher, high, lower, low, less, longer, long',
		'shorter, short, above, below, outside, exceed, exceeded, exceeding, minimum, maximum, min, max, limit, limited',
		'limitation, quota, least, most, equal, too, many, much, enough, sufficient, insufficient, total, single, daily',
		'weekly, monthly, yearly, hourly, current, currently, temporary, temporarily, international, domestic, local',
		'foreign, digital, instant, external, specific, special, public, private, ascii, lowercase, uppercase, main',
		'possible, legal, certain, associated, following, applicable, fraud, full, self, yourself, exactly, restriction',
		'decoding, unmarshal, deserialize, general, generic, online, offline, deemed, numerical, alphabetic, alphabetical',
		'national, regional, global, optional, conditional, exclusive, inclusive, sensitive, insensitive, case, upper',
		'average, net, gross, variable, relative, ambiguous, inconsistent, incompatible, compatible, nonexistent, unsafe',
		'insecure, secure, unverified, untrusted, restricted, cumulative, rolling, fractional, physical, minor, adult',
		'native, primary, secondary, alternative, whole, unsigned, nullable, 164, acc, statement, workflow, dashboard',
		'entry, ubo, shareholding, ownership, subsidiary, trust, wealth, pubkey, contractaddress, tokenid, chainid, base',
		'against, session, docs, instance, site, website, int64, int32, openapi, svc, googleapis, google, www',
		'deliverable, serviceable, undeliverable, security, enumeration, extra, choice, struct, int, enterprise, caller',
		'slippage, unspecified, usd, eur, gbp, ngn, auth, auth2, xs2, tpp, psd2, evp, alpha, unauthorised, unauthorized',
		'usual, normal, proper, suitable, appropriate, relevant, respective, corresponding, trailing, leading, redundant',
		'extraneous, unprocessable, nonzero, excessive, strict, plain, raw, own, proprietary',
	),
	// Portuguese, Spanish and French.
	...listed(
		'saldo, solde, conta, cuenta, compte, valor, monto, importe, montant, moeda, moneda, devise, campo, champ, chave',
		'clave, cle, beneficiario, beneficiaire, destinatario, titular, banco, banque, agencia, agence, numero, nome',
		'nombre, nom, documento, fecha, limite, limites, cartao, tarjeta, carte, usuario, utilisateur, cliente, senha',
		'contrasena, endereco, direccion, adresse, codigo, parametro, parametre, entidade, entidad, recurso, formato, tipo',
		'taxa, tarifa, frais, credencial, credenciais, credenciales, requisicao, solicitacao, solicitud, requete, erro',
		'consentimento, janela, horario, funcionamento, operacao, operacion, fondos, fundo, produto, producto, faixa',
		'quantidade, cantidad, minimo, minima, maximo, maxima, maior, mayor, menor, informado, informada, selecionada',
		'selecionado, ingresado, ingresada, possui, suficiente, excede, ultrapassa, acima, abaixo, debajo, superior',
		'inferior, esperado, permitir, realizar, estabelecido, estabelecida, solicitado, solicitada, vencimento',
		'vencimiento, detentora, transacoes, transacciones, operacoes, informacao, informacion, informacoes, dado, dados',
		'datos, donnee, obrigatoriedade, servico, servicio, categoria, realizacao, hoje, fuera, fora, telefono, telefone',
		'ciudad, cidade, pais, acesso, acceso, negado, denegado, oper, fazer, hacer, essa, esse, favor, formatacao, busca',
		'alterar, criar, crear, imediato, inmediato, regra, regla, participante, alguma, algum, semanticamente',
		'parametrizada, parametrizado',
	),
	// What nobody did, and what the sender should do.
	...listed(
		'fail, failed, failing, failure, reject, rejected, deny, denied, decline, declined, refuse, refused, disallow',
		'disallowed, prohibit, prohibited, forbid, forbidden, violate, violated, restrict, require, need, lack, support',
		'allow, permit, perform, make, create, initiate, transact, parse, parsed, contain, include, provide, provided',
		'supply, supplied, specify, specified, enter, entered, given, select, selected, defined, ensure, reduce, adjust',
		'contact, refer, see, follow, please, kindly, plz, pls, sorry, unfortunately, quickly, frequently, frequent',
		'frequency, velocity, utilize, utilise, meet, cap, equivalent, incorrectly',
	),
];

/** What a person can look at without a step of the payment being that. */
const TO_CHECK = listed(
	'account, balance, credential, request, detail, input, api, parameter, address, amount, currency, resource',
	'beneficiary, recipient, bank, field, value, permission, documentation, id, name, number, code, payload, body, url',
	'syntax, format, spelling, setting, configuration, user id, error, request parameter, request body',
	'api documentation, scope, api key, credential, card detail, card number, account number, bank detail, network',
	'query, json, schema, destination',
);

/** Phrases that are known. Their words alone are not. */
export const PHRASES = [
	// What to do.
	...listed(
		'try again in, retry in, retry after, or try again, and try again, and try again later, please try again',
		'please try again later, please retry, please retry later, please try later, please try, plz try, and retry',
		'try again in a few minutes, please try again in a few minutes, try again in a moment, and retry later',
		'please wait before trying again, please wait and try again, please wait a while before retrying, before retrying',
		'retry with different mode, slow down, please use, please add, add funds, add more funds, more funds to continue',
		'when more funds become available, top up, log in, please refresh, please create new quote',
		'do a re quote to continue, request a new one, a new one, generate new credentials, create a new, new quote',
		'a new token, if you, if the problem persists, check that, check if, check and, verify and try again, more details',
		'for more information, more information, for further information, for further details, for assistance, for help',
		'for details, for more details, account manager, at this time, at the moment, see details, see errors',
		'see embedded errors, the errors object, expected available in',
	),
	...TO_CHECK.flatMap((name) => [`check ${name}`, `check your ${name}`, `check the ${name}`]),
	...listed(
		'account, account detail, account number, detail, credential, address, bank, beneficiary, recipient',
	).flatMap((name) =>
		['verify', 'confirm'].flatMap((verb) => [
			`${verb} ${name}`,
			`${verb} your ${name}`,
			`${verb} the ${name}`,
		]),
	),
	...listed('low, fund, balance, sufficient, insufficient, enough').flatMap((name) =>
		PAYMENT_OR_MOVED.flatMap((payment) => [
			`${name} to complete this ${payment}`,
			`${name} to complete the ${payment}`,
		]),
	),
	// What was not done.
	...listed(
		'could not, may not, can not, can only, can be, you may only, not be completed, not complete, not completed because',
		'not … be processed, not … process, not processed, not created, not executed, not performed, not be performed',
		'not completed, not accepted, not be made, not initiated, not acceptable, not possible, not … yet, no match',
		'to process, to send, to pay, to execute, to cover, can have, can contain, sending to this, live transaction',
		'to fulfil this request, carry out the payout operation, making a transfer, send money through mass pay',
		'attempted transfer, error occurred, error has occurred, errors found, errors present, more error, some mandatory',
		'some provided, some field, some parameter, enough funding, must match, conforming to the specified constraints',
		'over the maximum, over the limit, limit set for, risk limit, one or several, only has, enough credit',
		'service center, service centre, internet banking, operating hour, business hour, banking hour, corporate seal',
		'active subscription, is associated to, create new one, create a new one, or are not available, or is not available',
		'since the quote was issued, today volume, today send volume, today limit, for the action, for this action',
		'this action is unauthorized, this action is forbidden, this action is not permitted, this action is not allowed',
		'this action is not supported, unauthorized action, invalid action, unsupported action, execute command',
		'execute the command, execute this command, invalid command, unauthorized command, unsupported command',
		'validation requirement, be exact, unknown command, favor verificar, presente requisicao, faz sentido',
		'participante autenticado, regra de autorizacao, available … balance, available … fund, expected amount',
		'valid range, accepted key format, accepted format, accepted currency, register your, please register, to register',
		'register is in, assign proper, please assign, assign the, corrective action, use the correct, ledger insufficient',
		'ledger balance, ledger account, also raise this kind of, r $, system maintenance, by the system',
		'allowed on the system, on this server, server does not support, server not support',
		'withdrawals locked for this account, withdrawals are locked, based on the status, status of the user',
	),
	// What a request has. A word such as `settlement` or `reference` could tell of a payment.
	...listed('account, wallet, currency, address, bank, destination').map((name) => `settlement ${name}`),
	...listed('amount, value, limit, range').map((name) => `allowed ${name}`),
	...listed('source, method, account').map((name) => `funding ${name}`),
	...listed(
		'resource, endpoint, currency, operation, amount, action, url, merchant, account, user, customer, wallet, entity',
		'asset, network, product, service, feature, method, route, path, page, object, item, quantity, bank, recipient',
	).map((name) => `requested ${name}`),
	...listed('amount, maximum, minimum, of').map((name) => `${name} allowed`),
	...listed('precision, decimal, quantity').map((name) => `allowed ${name}`),
	...listed('balance, fund, amount').map((name) => `available ${name}`),
	...listed('account, wallet').flatMap((name) => [`active ${name}`, `${name} owner`]),
	...listed('email, phone, address').map((name) => `registered ${name}`),
	...listed('day, month, week, hour, minute, second, transaction, transfer').map((name) => `per ${name}`),
	...listed('header, token, key').map((name) => `authorization ${name}`),
	...listed('currency, amount').flatMap((name) => [`buy ${name}`, `sell ${name}`]),
	...listed('string, number, integer, object, array, boolean, undefined, null, nan').flatMap((name) => [
		`expected ${name}`,
		`received ${name}`,
	]),
	...listed(
		'a valid, an valid, be valid, valid value, provide valid, with valid, list of valid, balance available',
		'available to you, available for your account, available in your country, are enabled, is enabled for, one of the',
		'one or more, at least one, or more, up to, two decimal places, different type, connected account, debit account',
		'debit card, credit card, credit limit, credit amount, routing number, routing code, bank code passed',
		'parameter passed, state or province, payment date, schedule date, validity period, identity verification level',
		'parameter verification, field verification, penny drop validation, kyc status, account status, first name',
		'last name, end beneficiary, trading pair, remaining balance, remaining limit, remaining withdrawal limit',
		'minimum reserve, operating amount, number of shares, number of requests, requests have been made',
		'made too many requests, being rate limited, must be different, complete your kyc, complete kyc, kyc verification',
		'referenced resource, value received, payload received, third party, starter business, travel rule, term agreement',
		'gateway assigned, related to the payer, on behalf of, processing channel id, same source and destination account',
		'sent in the request, sent to the endpoint, found in the body, found in the request, authentication credentials',
		'authentication token, for authentication, full authentication, no authentication, missing authentication',
		'failed to authenticate, permissions for action, perform this action, action not allowed, action is not allowed',
		'action not permitted, action is not permitted, api call, use this api, use this endpoint, use the api, hit the api',
		'key in use does not have, iso 4217, iso 8601, about blank, end of json input, invalid transaction pin',
		'invalid disbursement pin, pin missing or incorrect, transaction pin is invalid, invalid pin, incorrect pin',
		'wrong pin, not match the request and the secret, differ from the sandbox clock, is an account in, it takes no',
		'which is, over a million bytes, amount available, was asked for through, pin is invalid, pin is incorrect',
		'publishable key, active kyc status, check digit, address book, with an explicit deny, live mode, cross currency',
		'no message available, decimal parsing, int parsing, float parsing, value error, type error, literal error',
		'extra forbidden, err validation, e order, regular expression, format submitted to the server, by compliance',
		'by the compliance team, must be enabled, two factor authentication, what is available, make sure, must use, to use',
		'listed below, see below, error while validating, error while parsing, error occurred while validating',
		'error occurred while parsing, clock skew, in the future, in the past, multiple of, must exist',
		'terms must be accepted, must specify, must provide, on a sanctions list, to authenticate, e auth, e funding',
		'e general, be found, but got, method post, method get, method put, method patch, method delete, either of',
		'one of either, key used, amount requested, currency requested, within the next, before the decimal',
		'after the decimal, write permission, read permission, terms of use, charge bearer, bulk payment, in order to',
		'data protection, luhn check, given resource, access the url, limit was not met, limit not met, not met, to refer',
		'expected schema, expected format, expected type, expected value, json body provided, body provided',
		'provided in the request, for which, not configured, has been disabled, has been blocked, has been suspended',
		'was not found, was found, were found, to perform the transaction, payment draft, draft currency, payment mode',
		'payment token, transaction type, order size, terms and conditions, acceptable value, accepted value',
		'accepted values are, supported values are, valid values are, allowed values are, possible values are, api usage',
		'api version, can be used, from account, to account, from currency, to currency, request type, request id header',
		'allow list, deny list, block list, black list, white list, at the same currency, secure connection, access token',
		'refresh token, session token, session key, session id, user session, but is, but was, but it is, some of the',
		'some of request, at position, at line, at column, at offset, state is required, state code, listed currency',
		'parameter … not sent, you passed, login again, please authenticate, please validate your request',
		'validate your request, parameter validation, input validation, request validation, field validation',
		'schema validation, body validation, data validation, json validation, card validation, maintenance in progress',
		'under maintenance, property name in json, looking for beginning of, of object key string, live transfer',
		'live payment, additional property, no more than, be greater than, be less than, be at least, be at most',
		'correct the error, and resubmit your request, correct and, in the list, is included in',
		'from the list, required when, required if, required unless, mandatory when, mandatory if, mandatory unless',
		'allowed when, allowed if, supported when, empty when, null when, only when, provided when, present when',
		'specified when, must be set, be set, must be set when, vault account, year old, years old, cartao de credito',
		'tarjeta de credito, tarjeta de debito, cartao de debito, valor enviado, qr code, pelo dict, routing information',
		'contact sale, contact sales, attached to, be present, ou igual, o igual, must supply one of, converted to system',
		'byte position in line, authorization grant, when creating a, when making a, when using, when the type',
		'when type is, to belong, another network, payment source, payment rail, payment card, payment link',
		'payment account, payment gateway, payment provider',
	),
	...listed('one, two, three, four, five, six, seven, eight, nine, ten, twelve, sixteen').flatMap((count) =>
		['uppercase letter', 'lowercase letter', 'letter', 'digit', 'character', 'decimal', 'decimal place'].map(
			(name) => `${count} ${name}`,
		),
	),
	...listed(
		'value, type, mode, payment mode, payment method, method, currency, character, format, size, length',
	).map((name) => `allowed ${name}`),
];

/** Phrases that are known, and in which no reason is looked for: what is asked for may be a step of the payment. */
export const NO_REASONS = listed(
	'authorization required, authorization is required, authentication required, authentication is required',
	'limited to your, limited to the, amount limited, amount was limited, required by compliance, required by the bank',
	'information required, information is required, information is needed, document required, document is required',
	'payment required, pagamento requerido, pago requerido, ordem requerida, orden requerida',
);

/** Phrases that name a reason for which nothing was done, whatever they are said of. */
export const REASONS = [
	// Too little money.
	...listed(
		'insufficient, unsufficient, insufficiently, not … enough, no enough, not … sufficient, lack of fund, lack … funds',
		'insuficiente, insuffisant, insuffisante, sem saldo, sin saldo, sin fondos, not … suficiente, no … suficiente',
		'overdrawn, no balance, no fund, low balance, low … balance, balance … low, balance … below, balance … less',
		'not … cover, more funds, not enough credit, insufficient credit, no credit left, out of credit',
	),
	// A limit.
	...listed(
		'exceed, exceeded, exceeding, limit … reached, reached … limit, hit … limit, limited, over … limit, limit error',
		'cap … reached, cap … exceeded, reached … cap, hit … cap, hour violation, refund amount exceed, refund amount must',
		'amount limit, transfer limit, not … meet … limit, not … in … limit, not … within … limit, above … limit',
		'below … limit, outside … limit, outside … range, out of … range, out of bounds, not … range, minimum, maximum',
		'limit not met, limit was not met, not meet … minimum, cumulative limit, over limit, above limit, over quota',
		'min, max, at least, atleast, at most, less than, more than, no more than, greater than, larger than',
		'smaller than, lower than, higher than, longer than, shorter than, sooner than, older than, newer than',
		'would … exceed, too many, too much, too small, too large, too high, exceso, excede, excedido, excedida',
		'superior ao limite, superior al limite, acima do limite, depasse, ultrapassa, too low, too big, too long',
		'too short, too old, too early, should be earlier, should be later',
	),
	// A field.
	...listed(
		'invalid, incorrect, wrong, malformed, illegal, improper, unrecognized, unrecognised, not … recognized',
		'not … recognised, not … valid, not … correct, not … correctly, not … properly, not … well formed, must have',
		'must contain, must include, must match the format, must match pattern, must match format, must follow, must exist',
		'must specify, must provide, must start with, must begin with, must end with, terms must be accepted',
		'provided incorrectly, specified incorrectly, formatted incorrectly, not meet … requirement',
		'not matching … requirement, empty body, empty request, not a decimal, not an integer, not a string, not a boolean',
		'not a date, not a uuid, not a url, timestamp … in the future, date … in the past, must not, should have',
		'should not, not … empty, not … null, not … blank, not … negative, is negative, was negative, is null, was null',
		'not … zero, not … number, not a field, not json, not a json, null error, validation failed, provide a reason',
		'provide a valid, enter a valid, specify a valid, supply a valid, select a valid, use a valid, input error',
		'data error',

		'out of limit, undeliverable, not deliverable, not serviceable',
		'empty string, decimal place are allowed, market is closed, market closed, trading is suspended',
		'trading is disabled, trading halted, is delisted, quota exhausted, limit exhausted',
		'state is required',
		'not be understood, request not … understood, not convert string, not convert value, value not … converted',
		'not … validate your request, not … validate the request, not … parse request, failed to parse request',
		'failed to parse json, failed to parse body, failed to parse the request, failed to parse request body',
		'failed to decode json',
		'failed to decode request, failed to deserialize the json, failed to deserialize request, error parsing json',
		'error parsing request',
		'error parsing body, error parsing parameter, not … determine the bank, not … determine the country',
		'must supply one of',
		'asset … suspended, coin … suspended, cartao … vencido, tarjeta … vencida, token vencido, token is not listed',
		'not be used with, not be used for, not be used in, not usable, not be combined, not … applicable, not … accessible',
		'only … allowed, only … permitted, only … accepted, expected … but got, not available in your country',
		'not available in your region, should start with, should begin with, should end with, not start with, not begin with',
		'not end with, should match format, should match pattern, nao e o mesmo, not e o mesmo, asset is not listed',
		'checksum failed, failed luhn check, luhn check failed, luhn failed, unprocessable, nonexistent',
		'has constraint, has … constraint, request not … authorized, request not … authorised, not a positive',
		'not positive, is undefined, not unmarshal, not deserialize, unknown field, unknown parameter',
		'ambiguous, inconsistent, incompatible, redundant, extraneous, not … conform, not … comply, not accept … value',
		'validation fail, validation failure, validation error, validation exception, fail validation, failing validation',
		'failed … validation, parse error, unexpected token, unexpected field, unexpected value, unexpected character',
		'unexpected end, unexpected key, syntax error, bad syntax, syntactically incorrect, violates schema',
		'parameter error, bad account, bad parameter, bad data, format error, not … format, not … parse, not … parsed',
		'one or more errors, invalid or unknown, syntax or is incomplete, amount accuracy, not … be the same',
		'are the same, currency … must be the same, missing, absent',
		'mandatory, obligatory, required, needed, lack, is empty, is blank, empty param, not … specified, not … provided',
		'no … provided, not … supplied, not … set, not … include, not … present, not … defined, no … method',
		'not follow, refresh timestamp, timestamp … not, timestamp … outside, outside … window',
	),
	...listed(
		'currency, address, account, account number, account name, name, format, network, type, bank, chain, password',
		'token, decimals, field, country, pattern, regex, expression, credential, length, schema, specification, price',
		'checksum, environment, unit, precision, denomination, pair, symbol, scheme, iban, bic, wallet, brand, quantity',
		'tick, lot, increment, model, document, birth',
	).flatMap((name) => [
		`${name} mismatch`,
		`mismatched ${name}`,
		`${name} … must match`,
		`${name} … should match`,
		`${name} … differ`,
		`${name} … not match`,
		`${name} … not … match`,
		`${name} … not be matched`,
		`not match … ${name}`,
	]),
	// In Portuguese, Spanish and French.
	...listed(
		'erro de validacao, error de validacion, not … respeita, no respeta, semanticamente errada, viola … regra',
		'acesso negado, acceso denegado, menor que, not faz sentido, not pode ser menor, not pode ser maior, maior que',
		'mayor que, minimo, minima, maximo, maxima, cartao de credito … vencido, invalido, invalida, invalide, incorreto',
		'incorreta, incorrecto, incorrecta, incorrecte, incompativel, obrigatorio, obrigatoria',
		'obligatorio, obligatoria, obligatoire, requerido, requerida, requis, faltante, manquant, manquante, ausente',
		'desconocido, desconocida, desconhecido, desconhecida, not … valido, not … valida, no … valido, no … valida',
		'not … valide, not … suportado, not … suportada, no … soportado, no … soportada, not … permitido, not … permitida',
		'no … permitido, no … permitida, not … autorise, not … autorisee, deve ser, debe ser, doit etre, not … informado',
		'not … informada, nao autorizado, no autorizado, fora da janela, fora do horario, no puede ser nulo',
		'no puede estar vacio, not … pode ser vazio',
	),
	'no match for the provided',
	...listed('string, number, integer, object, array, boolean, a decimal, a number').map(
		(name) => `expected ${name}`,
	),
	// What could tell of a repetition: only that it is missing or has a wrong form.
	...listed('idempotency key, idempotency header, x idempotency key').flatMap((name) => [
		...['missing', 'without'].map((word) => `${word} ${name}`),
		...['is missing', 'missing', 'is required', 'required', 'header is required'].map(
			(words) => `${name} ${words}`,
		),
	]),
	...listed(
		'reference, reference id, merchant reference, customer reference, merchant ref id, invoice, invoice number',
		'invoice date, reference number, transaction reference, transaction reference number',
	).flatMap((name) => [
		...['missing', 'invalid'].map((word) => `${word} ${name}`),
		...listed(
			'is missing, missing, is required, required, field is required, is invalid, is too long, too long, is too short',
		)
			.concat(
				listed(
					'exceed, must not exceed, contain invalid, contain unsupported, contain illegal, not empty, is empty',
					'format is invalid, should be … character, must be … character, should be … digit, must be … digit',
				),
			)
			.map((words) => `${name} ${words}`),
	]),
	...listed(
		'missing nonce, nonce is missing, nonce missing, nonce is required, nonce required, nonce header is required',
	),
	// What the service does not do.
	...listed(
		'unsupported, not … supported, not … support, only … supported, not … enabled, disabled, only … available',
		'deprecated, delisted, because of its currency, not implemented, no longer supported, no longer available',
		'maintenance',
	),
	...listed(
		'currency, coin, asset, network, method, product, feature, country, corridor, endpoint, type, market, pair, rate',
		'quote, liquidity, amount, contract, biller, provider',
	).flatMap((name) => [`${name} … not … available`, `${name} … unavailable`, `no … ${name} … available`]),
	'not available charge',
	...listed('kyc, detail, information, profile, address, body, onboarding, data').flatMap((name) => [
		`${name} … incomplete`,
		`incomplete ${name}`,
		`not completed ${name}`,
	]),
	// A permission.
	...listed(
		'un authorized, incorrect authentication, wrong authentication, bad authentication, approve new terms',
		'accept the terms, accept terms, accept our terms, not … have … permission, not … have … privilege, not … entitled',
		'not … privileged, unauthorized, unauthorised, no authorization, unauthenticated, authorization error',
		'authorization failed, authorization failure, authorisation failed, authentication error, authentication failed',
		'authentication failure, authenticate failed, invalid authorization, malformed authorization',
		'invalid authentication, forbidden, prohibited, permission, not … permitted, access … denied, access … blocked',
		'not … allowed, disallowed, not … access, no access, no right, not … right, violates a policy, policy violation',
		'allowlist violation, not … eligible, ineligible, you not make, you not perform, you not initiate, you not create',
		'you not transfer, you not send, you not withdraw, you not use, key … revoked, token … revoked, login required',
		'access … restricted, failed to authenticate, missing authentication, not accepted terms',
		'agreement must be accepted',
	),
	// Too often.
	...listed('rate limit, rate limited, throttled, throttling, too frequent, too frequently, too quickly'),
	// A time.
	...listed(
		'token, session, key, apikey, jwt, link, credential, password, certificate, quote, rate, price, contract, card',
		'document, timestamp, subscription, plan, offer',
	).flatMap((name) => [
		`${name} … expired`,
		`expired ${name}`,
		`expired access ${name}`,
		`expired api ${name}`,
		`${name} … no longer valid`,
	]),
	...listed('expired and are no longer valid, expired authentication'),
];

/** Reasons that are none if they are said of the payment itself: a payout that is not found or not approved may be there. */
export const REASONS_OF_OTHERS = [
	...listed(
		'require, not … authorized, not … authorised, not … authenticated, missing … authorization, not … found, not … find',
		'not … found in the system, not … exist, not … resolve, not … locate, not … located, not … retrieve, not … verify',
		'no such, no account, lookup failed, not … whitelisted, not … allowlisted, not … whitelist, not … allowlist',
		'whitelisting, not in the address book, not own, verification failed, verification error, not … accept',
		'on a sanctions list, need to be whitelisted, destination that is whitelisted, account approval required',
		'account verification required, complete your kyc, complete kyc, not … included, no account exist, no user exist',
		'no customer exist, no wallet exist, not … encontrado, not … encontrada, no … encontrado, no … encontrada',
		'introuvable, no existe, not … existe, must have a verified account, not … registered, unregistered, not … belong',
		'not … active, not … activated, no active, inactive, deactivated, not … configured, not … assigned, blacklisted',
		'no route matched, account has restrictions, fraud watchlist, rate … moved, rate … changed, outside … hour',
		'not tem autorizacao, no tiene autorizacion, not tem permissao, but has expired, screening failed',
		'screening failure, failed … screening, need to be renewed',
	),
	...listed(
		'account, beneficiary, recipient, destination, bank, merchant, wallet, alias, address, contract, network, asset',
		'currency, coin, key, parameter, field, customer, user, token, withdraw key, chain, payee, endpoint, route, quote',
		'counterparty, record, resource, value, type, method, property, identifier, country',
	).flatMap((name) => [
		`unknown ${name}`,
		`${name} unknown`,
		`no … ${name} … found`,
		`no … ${name} … located`,
		`no ${name} with`,
		`no ${name} match`,
		`no … ${name} could be found`,
		`no … ${name} could be located`,
		`no ${name} … found`,
		`no ${name} … located`,
	]),
	...listed(
		'account, wallet, beneficiary, recipient, receiver, sender, payee, payer, merchant, customer, user, client, company',
		'payor, participant, vendor, seller, member, holder, subaccount, counterparty, organization, card, address, ip',
		'destination, business, profile, email, phone, identity, kyc, country',
	).flatMap((name) => [
		...listed(
			'archived, deleted, blocked, banned, suspended, frozen, restricted, locked, closed, paused, dormant, terminated',
			'sanctioned',
		).flatMap((state) => [`${name} … ${state}`, `${state} ${name}`, `${name} … or ${state}`]),
		...listed(
			'approved, verified, validated, activated, receive, make, send, withdraw, initiate, transact',
		).map((state) => `${name} … not … ${state}`),
		...listed('unverified, unapproved').flatMap((state) => [`${name} … ${state}`, `${state} ${name}`]),
		...listed('pending, on hold, rejected').flatMap((state) => [`${name} ${state}`, `${name} is ${state}`]),
		...listed('pending approval, was rejected, has been rejected').map((state) => `${name} ${state}`),
	]),
	...listed(
		'conta, cuenta, account, cliente, usuario, beneficiario, destinatario, chave, cartao, tarjeta',
	).flatMap((name) =>
		listed(
			'encerrada, encerrado, bloqueada, bloqueado, inativa, inativo, inactiva, inactivo, suspensa, suspenso, suspendida',
			'cerrada',
		).map((state) => `${name} … ${state}`),
	),
];

/** Reasons that are none if a payout, a payment or a transfer itself must be something: it may have to be confirmed. */
export const REASONS_OF_FIELDS = listed(
	'must be, should be, must either be, need to be, has to be, have to be',
);

/** A signature that is wrong or missing. One that is needed is no reason: a second one may be. */
const SIGNED = listed(
	'request, merchant, api, message, webhook, hmac, rsa, jwt, header, body, digital, client, key',
);
export const REASONS_OF_SIGNATURE = [
	...listed('request, api, message, webhook, hmac, header').map((name) => `missing ${name} signature`),
	...SIGNED.flatMap((name) => [
		...listed('invalid, incorrect, wrong, bad').map((how) => `${how} ${name} signature`),
		...SIGNED.map((kind) => `invalid ${name} ${kind} signature`),
	]),
	...listed(
		'signature … certificate … expired, signature … has an unknown or inactive key, invalid signature',
		'invalid payload signature, signature … invalid, signature … not valid, signature … incorrect',
		'signature for this request is not valid, incorrect signature, signature … wrong, wrong signature, bad signature',
		'signature mismatch, signature … not match, signature … not … match, sign mismatch, missing signature',
		'signature … missing, signature is empty, verify … signature, signature verification failed',
		'signature verification error, sign verify failed, signature not be verified, signature error, signature … failed',
		'signature has an unknown key, signature combination',
	),
];

/** A reason in a clause with one of these is only that of a signature. */
export const SIGNATURE = listed('signature, sign');

/** Names of statuses. They are a reason if the answer says nothing else. */
export const NAMES_OF_STATUS = listed(
	'bad request, unprocessable entity, unprocessable content, payment required',
);

/** What is said beside such a name, and is no more than it. */
export const SAYS_NO = listed(
	'error, err, fail, failed, failure, exception, http exception, false, rejected, api error',
);

/** Words that state something, and where it is. A clause with one must say why, or no, or what to do, or how much there is. */
export const STATES = listed(
	'is, are, was, were, am, be, been, has, have, had, do, does, did, with, at, on, under, by, currently',
	'possui, tem, tiene, esta, foi, fue',
);
export const NO_STATEMENTS = listed(
	'error, not, no, non, fail, failed, failing, reject, rejected, deny, denied, decline, declined, refuse, refused',
	'balance, limit',
);

/** Beginnings of a clause that tells the sender what to do. */
export const IMPERATIVES = listed(
	'please, kindly, plz, pls, assign, check, ensure, contact, provide, enter, specify, select, reduce, adjust, refer',
	'see, try, add',
);

/** Whole clauses that are known, and whose words are not. */
export const CLAUSES = listed(
	'requested, or was removed, or removed, or was deleted, or deleted, expired, revoked, or revoked, or expired',
	'or missing, missing, live, staging, production, test, sandbox, input, api error, body, errors, input error',
	'user error, client error, try again, try again later, retry later, validation, security, configuration',
	'authentication, authorization, is pending, is rejected, available, expected, actual, about, fatal, warning, oops',
);

/** Written in capitals. Those that are an English word are left out. */
export const CURRENCIES = new Set(
	listed(
		'AED, ARS, AUD, BDT, BHD, BIF, BRL, BWP, CAD, CDF, CHF, CLP, CNY, COP, CVE, CZK, DKK, DZD, EGP, ETB, EUR, GBP, GHS',
		'GMD, GNF, HKD, HUF, IDR, ILS, INR, JOD, JPY, KES, KRW, KWD, LKR, LRD, LSL, MGA, MRU, MUR, MWK, MXN, MYR, MZN, NAD',
		'NGN, NOK, NPR, NZD, OMR, PHP, PKR, PLN, QAR, RON, RWF, SAR, SCR, SEK, SGD, SLE, SLL, SZL, THB, TND, TWD, TZS, UAH',
		'UGX, USD, UYU, UZS, VND, XAF, XOF, ZAR, ZMW, ZWL, BTC, ETH, USDT, USDC, BUSD, DAI, BNB, SOL, TRX, XRP, LTC, BCH',
		'DOGE, ADA, MATIC, XLM, EURC, PYUSD, CNGN, CUSD, $, €, £, ₦, ¥, ₹, ₵',
	),
);

/** Words before a plain number, and behind one, that make it a limit or an amount. Any other number may identify something. */
export const BEFORE_NUMBER = listed(
	'requested, need, cost, equivalent, alpha, available, remaining, expected, actual, multiple, tier, iso, utf, than',
	'least, atleast, most, minimum, maximum, min, max, limit, exceed, above, below, between, amount, balance, fee',
	'count, length, position, error, http, require, be, cover, up, must, should, line, column, offset, greater',
);
export const BESIDE_NUMBER = listed('is, of, to, or, and, equal, be, was, the, a, an, exactly');
export const BEHIND_NUMBER = listed(
	'year, bit, char, character, digit, decimal, place, seconds, minute, hour, day, request, byte, percent, dp, month',
	'item, letter, ms, per, more',
);

/** Words beside which three capitals are a currency or a symbol: "currency XYZ". */
export const BESIDE_SYMBOL = listed('currency, coin, asset, symbol, network, token, ticker, chain, pair');

/** Words of a text in which a number with a point is an amount, and so is a short number in brackets. */
export const OF_AMOUNTS = listed(
	'balance, amount, fund, minimum, maximum, min, max, limit, cap, quantity, value, less, greater, larger, smaller',
	'higher, lower, exceed, enough, insufficient, saldo, valor, monto, menor, maior, minimo, maximo, precision, step',
	'increment',
);

/** Words that are known before a number at the beginning of a clause: "requested 20". */
export const FIRST_BEFORE_NUMBER = listed('requested');

/** Words that are known right before a number: "available 20 USDT". */
export const ONLY_BEFORE_NUMBER = listed('available, remaining, expected, actual');

/** Fields with the words of a refusal. */
const FIELDS_OF_TEXT = listed(
	'message, msg, error, err, error message, error msg, err msg, error description, error detail, error details',
	'error text, error title, error name, error reason, error summary, description, desc, detail, details, reason',
	'title, summary, name, cause, hint, info, information, text, status, state, status text, status message',
	'status description, result, response message, response description, result message, user message, display message',
	'friendly message, user title, developer message, debug message, localized message, long message, short message',
	'full message, message text, additional message, explanation, suggestion, resolution, action, remedy, advice',
	'category, class, severity, level, errmsg, retmsg, ret msg, label, issue, subject, fault string, faultstring',
	'fault code, failure reason, failure message, all, reject reason, rejection reason, decline reason, notice, mode',
	'environment, env, model, group, response, recovery, status desc, response desc, translation, razao, url, uri, href',
	'ret, codes, faultcode, doc, next steps, reason phrase, http message, error string, error object, error key, errors',
	'error id, error group, feature, capability, requirements, restrictions, module, component, constraint',
	'comparison value',
);

/** The last word of a name that counts as this word alone, if those before it are known: `recoverySuggestion`. */
export const ROLES = listed(
	'message, messages, msg, error, errors, description, detail, details, reason, reasons, code, violation, violations',
	'information, info, problem, problems, failures, hint, suggestion, summary, text, exception, cause, causes',
);

/** Words before them that no text of a refusal needs. */
export const QUALIFIERS = listed(
	'result, ret, res, resp, more, err, trace, developer, log, detailed, main, default, debug, display, friendly',
	'localized, long, short, full, human, readable, inner, sub, custom, category, internal, validation, recovery',
	'help, system, server, response, http, native, vendor, fault, parse, decline, rejection, status, message, base',
	'global, root, minor, major, extended, original, nested, form, formatted, technical, business, support',
);

/** Names of fields that tell of a repetition, or of a step that a payment may wait for. */
export const NAMES_OF_STEPS = listed(
	'idempotency, idempotent, nonce, dedup, duplicate, replay, otp, totp, mfa, pin, confirmation, confirm, verification',
	'approval, approver, approve, signature, signer, challenge, second, status, state, authorization, authorisation',
	'secret, step, po, tx',
);

/** Names that tell of the end of a payment, beside the words of statuses. */
export const NAMES_OF_ENDS = listed(
	'paid, settled, executed, processed, accepted, filled, captured, booked, posted, scheduled, held, done',
);

/** Fields with a state. It must say no, or why. */
export const FIELDS_OF_STATE = listed(
	'status, state, result, status text, http status, status code, http status code, http code',
);

/** Fields with a code of the refusal. Its digits are no ID. */
export const FIELDS_OF_CODE = listed(
	'code, error code, err code, errorcode, type, error type, subtype, sub code, subcode, error subcode, errno, err no',
	'status code, http status, http status code, http code, status, response code, result code, reason code',
	'failure code, error id, custom code, api code, kind code, category, rule code, internal code, category code',
	'custom error code, code literal, error response code, error code name, detailed error code, status literal',
	'errcode, retcode, ret code, ret, rc, rcode, error number, error, rule, key, kind, slug, decline code',
);

/** Fields with the name of a field of the request, or with what was in it or should be. */
const FIELDS_OF_REQUEST = listed(
	'field, field name, fieldname, param, parameter, property, property name, attribute, argument, path, loc, location',
	'target, source, pointer, in, instance path, schema path, keyword, constraints, rule, validator, validation',
	'expected, received, value, rejected value, attempted value, invalid value, actual, format, allowed, allowed values',
	'children, location type, request, input, request body, body, query, headers, limit type, domain, entity, resource',
	'object, object name, currency, coin, asset, amount, parameters, params, args, json path, rejected value, arguments',
	'options, allowed options, supported values, valid values, permitted values, possible values, accepted values, enum',
	'member, node, xpath, context, supported currencies, allowed currencies, formatted message arguments',
	'formatted message placeholder values, property value, comparison value, min length, max length, total length',
	'resource name, resource type, input value, given, got, found, required fields, missing fields, missing',
	'missing field, required field, missing params, unknown fields',
);

/** More words of names of fields: a text that says what is wrong with such a field may stand under it. */
export const WORDS_OF_NAMES = listed(
	'reference, ref, invoice, callback, webhook, settlement, pin, signature, effective, intent, due, start, end',
	'execution, schedule, frequency, interval, return, redirect, notify, notification, statement, descriptor, recurring',
	'auto, save, response, custom, batch, original, parent, unique, time, first, last, second, other, new, old, session',
	'version, use, hold, policy, transfers, index, position, number, options, future, shared, reduce, make, set, stop',
	'trigger, instance, base, server',
);

/** Fields whose value is such a name. */
export const FIELDS_WITH_NAME = listed(
	'field, field name, fieldname, param, parameter, property, property name, attribute, argument, path, pointer',
	'parameter name, param name, attribute name, propriedade, propiedad, campo, instance path, request pointer, source',
	'target, location, json path, property path, field path, data path, xpath, key, loc, missing fields, missing field',
	'required fields, required field, missing, unknown fields, member, element, input, keys',
);

/** Fields with links. They are left out if all lead to documentation. */
export const FIELDS_OF_LINKS = listed('links, link');
export const LINKS_TO_DOCUMENTATION = listed(
	'documentation, docs, doc, help, about, information link, type, more info, errorinfo, error info, support',
	'reference docs',
);

/** Fields that hold the record of an error, or a list of them. What is inside is named by the request. */
export const FIELDS_OF_ERROR = listed(
	'error, errors, err, errs, fault, faults, problem, problems, failure, failures, issues, violations, exception',
	'exceptions, details, detail, message, messages, validation errors, validation error, field errors, form errors',
	'invalid params, invalid parameters, invalid fields, fields, constraints, constraint violations, error details',
	'reasons, causes, error list, warnings, meta, metadata, context, extra, extras, additional info',
	'additional information, info, non field errors, ret ext info, field violations, sub errors, inner error',
	'innererror, validation, data, response, result, embedded, model state, api error, apierror, error response',
	'response error, tpp messages, jsonapi, client error, body, status, source, properties, params, error summary',
	'invalid field, input errors, formatted message placeholder values, response header, response timestamp, cause',
	'violacoes, erros, errores, capability, fields errors, errors list, rejections, violation, constraint, limits',
);

/** Those of them, and the answer itself, that have what FIELDS_LEFT_OUT names. */
export const FIELDS_OF_HEAD = listed(
	'error, errors, err, errs, fault, faults, meta, issues, problems, api error, apierror, error response',
	'error details, validation errors, field errors, error detail, exception, jsonapi, embedded, error list',
	'tpp messages, response header, response timestamp',
);

/** Fields with a limit or what there is, as a number. */
export const FIELDS_OF_AMOUNT = listed(
	'limit, min, max, minimum, maximum, minimum amount, maximum amount, min amount, max amount, min length, max length',
	'daily limit, monthly limit, threshold, available, available balance, available amount, required, required amount',
	'min value, max value, retry after, retry after seconds, retry after ms, retryafter, retry in, minlength',
	'minimum amount, maximum amount, total records, total pages, page, page size, per page, total count, rejected value',
	'attempted value, invalid value, expected, actual, comparison value, severity, level, property value',
	'retries remaining, provided, reset, reset in, window, limit remaining, rate limit, limit amount, requested amount',
	'current balance, min limit, max limit, lower limit, upper limit, count, total errors, error count, line, column',
	'position, index, precision, scale, step, multiple of',
);

/** Fields inside such a record: `{"limit":{"amount":10,"currency":"NGN"}}`. */
export const FIELDS_OF_LIMIT = listed(
	'amount, value, maximum amount, minimum amount, remaining amount, remaining, period, max, min',
);

/** Fields that say no with "no", and those that do with "yes". */
export const FIELDS_OF_NO = listed(
	'success, successful, succeeded, ok, is success, is successful, valid, is valid',
);
export const FIELDS_OF_YES = listed('error, is error, has error, has errors, failed, fault, exception');

/** Fields with the part of the service that answers, as one word. */
export const FIELDS_OF_ORIGIN = listed('origin, service name');

/** Fields with what kind of payment is asked for. */
export const FIELDS_OF_KIND = listed('transaction type, payment type, operation type, order type');

/** Fields that say nothing with a zero. */
export const FIELDS_OF_ZERO = listed('retry count');

/** Fields that say nothing with either. */
export const FIELDS_OF_FLAG = listed(
	'binding failure, inclusive, exact, retryable, is retryable, temporary, transient, livemode, live mode, sandbox',
	'test',
);

export const FIELDS = [
	...FIELDS_OF_TEXT,
	...FIELDS_OF_CODE,
	...FIELDS_OF_REQUEST,
	...FIELDS_WITH_NAME,
	...FIELDS_OF_ERROR,
	...FIELDS_OF_AMOUNT,
	...FIELDS_OF_NO,
	...FIELDS_OF_YES,
	...FIELDS_OF_FLAG,
	...FIELDS_OF_ORIGIN,
	...FIELDS_OF_KIND,
	...FIELDS_OF_ZERO,
];

/** Fields of the answer itself, or of the record of its error, that nobody judges. */
export const FIELDS_LEFT_OUT = [
	...listed(
		'request, req, x request, trace, tracing, x trace, correlation, x correlation, span, log, debug, ray, error',
		'incident, request trace, error trace, api request, api trace, server trace, global request, fbtrace, diagnostic',
		'diagnostics, support, context, activity, exception, fault, ticket, x amz request, amz request, operation log',
	).flatMap((name) => [
		`${name} id`,
		`${name.replaceAll(' ', '')}id`,
		`${name} uuid`,
		`${name} reference`,
		`${name} ref`,
		`${name} identifier`,
	]),
	...listed(
		'epoch millis, payment integrator error identifier, trace, request no, request number',
		'tracking code of error, log',
	),
	...listed('timestamp, time stamp, time, date, datetime, date time, ts').flatMap((name) => [
		name,
		...listed('request, response, server, error, current').map((what) => `${what} ${name}`),
	]),
	...listed('locale, language, lang, api version, version, jsonrpc, http version, spec version'),
];

/** Those that are left out too if they have a link and no text. */
export const FIELDS_WITH_LINK = [
	...listed(
		'doc, docs, documentation, help, support, more info, info, reference, error, error doc, error docs',
	).flatMap((name) => [`${name} url`, `${name} link`, `${name} uri`, `${name} href`, `${name} page`]),
	...listed(
		'documentation, docs, doc, more info, moreinfo, help, information link, request log url, error help url',
	),
];

/** Fields that are left out if nothing in them may be an ID. */
export const FIELDS_OF_PATH = listed(
	'path, instance, request path, endpoint, route, uri, url, method, http method',
);

/** Words in the address of a page about the API, and beginnings of the address of an RFC. */
export const WORDS_OF_DOCUMENTATION = listed(
	'docs, doc, documentation, developer, developers, error, errors, problem, problems, probs, errordetail',
	'errordetails',
);
export const ADDRESSES_OF_RFC = listed(
	'tools.ietf.org/html/rfc, datatracker.ietf.org/doc/html/rfc, www.rfc-editor.org/rfc/rfc, httpstatuses.com/4',
	'httpstatuses.io/4, httpstatus.io/4, developer.mozilla.org/',
);

/** Beginnings of an ID that is no code. */
export const BEGINNINGS_OF_ID = listed(
	'po, py, pay, pmt, pymt, pyt, tr, trf, tfr, trn, tran, tx, txn, txid, trx, wd, wdl, wdr, ref, id, no, ord, inv, ch',
	'pi, re, rf',
);
