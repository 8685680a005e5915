# Prints those of the named files that include one of CUDA's headers, themselves or through another of the named files.
# CUDA's are included in <>, ours in "": a file of ours may be called cuda.h too.
function last(path) {
	sub(/.*\//, "", path)
	return path
}

/^#include <(cuda|cupti|cublas|cudnn|nvml)/ {
	sees[last(FILENAME)] = 1
}

/^#include "/ {
	split($2, part, "\"")
	includes[last(FILENAME), last(part[2])] = 1
}

END {
	do {
		grown = 0
		for (pair in includes) {
			split(pair, name, SUBSEP)
			if (name[2] in sees && !(name[1] in sees))
				grown = sees[name[1]] = 1
		}
	} while (grown)
	for (i = 1; i < ARGC; i++)
		if (last(ARGV[i]) in sees)
			print ARGV[i]
}
