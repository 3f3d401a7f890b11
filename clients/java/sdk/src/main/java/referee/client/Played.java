package referee.client;

/**
 * What a seat's play came to.
 *
 * @param tableId the table
 * @param seat the seat; 0 when it was never told
 * @param hands hands that ended in which the seat was dealt in
 * @param net what it won or lost in them, in chips
 * @param decisions decisions that it was asked
 * @param refusals answers that were refused
 * @param defaults decisions that were then answered for the bot
 * @param resumed how often the table was attached again
 * @param dealsChecked hands whose cards were found to follow from the seeds that were shown at the table's end
 * @param dealFault what was wrong with the deals; empty when nothing was
 * @param reason why it ended, such as {@code TABLE_ENDED}; empty while it has not
 */
public record Played(
        String tableId,
        int seat,
        int hands,
        long net,
        int decisions,
        int refusals,
        int defaults,
        int resumed,
        int dealsChecked,
        String dealFault,
        String reason) {}
