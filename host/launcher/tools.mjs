/**
 * The programs of the system that tests and n8n need.
 *   label        in messages
 *   programs     names of the program, the first one found is used
 *   package      Debian's package; `ubuntuPackage` where Ubuntu has another name
 *   folder       where the versions of a program live that is not in the PATH: `<folder>/<version>/bin`
 *   variable     environment variable that tells tests and benches the path
 */
export const TOOLS = {
	chromium: {
		label: 'Chromium',
		programs: ['chromium', 'chromium-browser', 'google-chrome'],
		package: 'chromium',
		ubuntuPackage: 'chromium-browser',
		variable: 'CHROMIUM',
	},
	postgres: {
		label: "PostgreSQL's server",
		programs: ['postgres'],
		package: 'postgresql',
		folder: '/usr/lib/postgresql',
		variable: 'POSTGRES',
	},
	redis: {
		label: 'Redis',
		programs: ['redis-server'],
		package: 'redis-server',
		variable: 'REDIS',
	},
	nginx: {
		label: 'nginx',
		programs: ['nginx'],
		package: 'nginx-light',
		variable: 'NGINX',
	},
	compiler: { label: 'a C++ compiler', programs: ['g++', 'clang++', 'c++'], package: 'g++' },
	make: { label: 'make', programs: ['make'], package: 'make' },
	python: { label: 'Python 3', programs: ['python3'], package: 'python3' },
};

/** The parts of the tests that need more than npm packages. */
export const TOOLS_OF_PART = {
	queue: ['postgres', 'redis', 'nginx'],
	browser: ['chromium'],
};
