/**
 * n8n's scanner, as it judges a published package: its sources, and the files of the tarball. It downloads those itself by the name of
 * the package; here they are what would be published. Prints what it finds.
 *
 *   node test/scanner/scan.mjs <folder with the scanner's node_modules>
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const scanner = resolve(process.argv[2] ?? '', 'node_modules/@n8n/scan-community-package');
const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(
	pathToFileURL(join(scanner, 'scanner/scanner.mjs')).href
);
const { version } = JSON.parse(readFileSync(join(scanner, 'package.json'), 'utf8'));

const folder = resolve('.local/scan');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const shell = process.platform === 'win32';
const options = { encoding: /** @type {const} */ ('utf8'), cwd: folder, shell };
const tarball = execFileSync('npm', ['pack', process.cwd(), '--silent', '--ignore-scripts'], options).trim();
execFileSync('tar', ['-xzf', tarball], options);
const packed = join(folder, 'package');

/** @type {(name: string, where: string, files: string[], mustPass?: boolean) => Promise<boolean>} */
async function scan(name, where, files, mustPass = true) {
	const { passed, message, details } = await analyzePackage(where, files);
	if (passed === mustPass) return true;
	console.error(`${name}: ${passed ? 'the scanner accepts what n8n forbids' : `${message}\n${details}`}`);
	return false;
}

const isGood =
	(await scan('The sources', process.cwd(), SOURCE_FILE_PATTERNS)) &&
	(await scan('The tarball', packed, ['**/*.js', 'package.json']));
// A scanner that finds nothing in this file has scanned nothing.
writeFileSync(join(packed, 'dist/forbidden.js'), '/* eslint-disable */ console.log(process.env);');
const isStrict = await scan('A forbidden call', packed, ['dist/forbidden.js'], false);
process.exitCode = isGood && isStrict ? 0 : 1;
const words = process.exitCode === 0 ? 'accepts' : 'refuses';
console.log(`@n8n/scan-community-package ${version} ${words} ${tarball}`);
