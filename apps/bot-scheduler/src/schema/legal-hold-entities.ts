import { EntitySchema } from 'typeorm';

/** A bot whose data is not deleted. */
export interface LegalHoldRow {
  readonly bot_id: string;
  readonly placed_at: Date;
}

export const legalHoldEntity = new EntitySchema<LegalHoldRow>({
  name: 'legal_holds',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'legal_holds_key' },
    placed_at: { type: 'timestamptz', default: () => 'now()' },
  },
  foreignKeys: [{ name: 'legal_holds_bot', target: 'bots', columnNames: ['bot_id'], referencedColumnNames: ['id'] }],
});
