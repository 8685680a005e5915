/*
 * An archive between an admission and the root seal that has to follow it: everything that came with the submissions, and the log, differs from what was sealed. Where the log and what it
 * has of the submissions hold, that is one finding and not one a file.
 */
#ifndef PTXSEAL_SUBMISSION_AWAITING_H
#define PTXSEAL_SUBMISSION_AWAITING_H

#include "../base/file.h"
#include "../bundle/finding.h"

/*
 * findings: all of the archive, and logbook_check has found nothing. Those that follow from the submissions which the seal does not list become one (R_ADM_AWAITS). Such are only: a file that one of these submissions
 * lists, or that an admission writes beside it, and the seal does not; new tiles of the log, partial ones that were replaced, and its checkpoint; the mark of a seal that has to end. That a file is
 * not the one that its submitter sealed is a finding of its own, and stays, as does everything else.
 */
void awaiting_fold(const struct root *archive, struct findings *findings);

#endif
