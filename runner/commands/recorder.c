/* The child process in which host code is recorded. Started by the program itself, never by a person. */
#include "../command.h"

#ifdef PTXSEAL_CUDA
#include <unistd.h>

#include "../measure/capture_serve.h"

static enum status run(int argc, char **argv)
{
	(void)argv;
	if (argc != 1)
		return command_usage(&command_recorder, "it takes no argument");
	_exit(capture_serve());
}

const struct command command_recorder = {
	.name = "recorder",
	.run = run,
	.usage = "recorder",
	.help = "What `ptxseal lower` starts to run host code in, without files, network or rights.\n"
		"It talks to its parent through inherited descriptors and is of no use otherwise.\n",
};
#endif
