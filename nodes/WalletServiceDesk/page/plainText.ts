/** The parts of a page as plain text, for mails and chats. */
import type { Block } from './blocks.ts';
import { oneLine } from '../../shared/text.ts';

/** One line for each paragraph, item of a list and row of a table. No text of a part can add a line. */
export function toPlainText(blocks: readonly Block[]): string {
	return blocks
		.flatMap((block, index) =>
			block.kind === 'heading' && index > 0 ? ['', ...linesOf(block)] : linesOf(block),
		)
		.join('\n');
}

function linesOf(block: Block): string[] {
	switch (block.kind) {
		case 'heading':
		case 'paragraph':
			return [oneLine(block.text)];
		case 'lines':
			return block.lines.map(asItem);
		case 'table':
			return block.rows.map(({ inWords }) => asItem(inWords));
		case 'bars':
			return block.bars.map(({ inWords }) => asItem(inWords));
	}
}

const asItem = (text: string): string => `- ${oneLine(text)}`;
