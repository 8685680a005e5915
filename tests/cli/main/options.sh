# A word of the command line that is no option is named as it stands there, whatever command it is given to: one letter, several in one word, a long name.
set -eu
list() { "$PTXSEAL" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'; }
for command in $(list) 'export bundle' 'export repairs' 'import ptxbench' 'import trajectories'; do
	for word in -x -xy --xy; do
		# Some have nothing to do with a word before they know what is asked of them; none takes these for anything else. A replay has no options where the program was built without CUDA.
		"$PTXSEAL" $command "$word" >out 2>err </dev/null && echo "$command $word: exit 0" || [ $? -eq 2 ] || grep -q R-GPU-001 err || echo "$command $word: not exit 2"
		head -n 1 err | grep -q -e "'$word'" -e R-GPU-001 || echo "$command $word: $(head -n 1 err)"
	done
done
list | wc -l
