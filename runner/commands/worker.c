/* The child process in which a candidate runs. Started by the program itself, never by a person. */
#include "../command.h"

#ifdef PTXSEAL_CUDA
#include <unistd.h>

#include "../measure/serve.h"

static enum status run(int argc, char **argv)
{
	(void)argv;
	if (argc != 1)
		return command_usage(&command_worker, "it takes no argument");
	/* Exit handlers of the vendor's libraries would want what the sandbox forbids. */
	_exit((int)worker_serve());
}

const struct command command_worker = {
	.name = "worker",
	.run = run,
	.usage = "worker",
	.help = "What `ptxseal replay` starts to run a candidate in, away from results and keys.\n"
		"It talks to its parent through inherited descriptors and is of no use otherwise.\n",
};
#endif
