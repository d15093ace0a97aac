/** Who writes rows, and when. */

export interface RowContext {
	/** ISO 8601 in UTC. */
	now: string;
	/** ID and name of the workflow. */
	workflow: string;
	/** ID of the execution. */
	execution: string;
	/** Who said yes to payments that do not say it themselves; '' if nobody was asked. */
	approvedBy: string;
	/** Whether a payment without a name is not sent. */
	needsApproval: boolean;
}
