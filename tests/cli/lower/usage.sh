"$PTXSEAL" lower || echo "exit $?"
"$PTXSEAL" lower a b c || echo "exit $?"
"$PTXSEAL" lower --nonsense a || echo "exit $?"
"$PTXSEAL" lower ../a || echo "exit $?"
"$PTXSEAL" lower '' || echo "exit $?"
"$PTXSEAL" help lower | head -n 1
