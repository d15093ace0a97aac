/** Input with which a desk operation can do nothing. `message`: what happened. `description`: what to do. */
export class DeskProblem extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.description = description;
	}
}
