# Neither a binary nor PTX: it is read as a text, and the first rule of one says what it should be.
echo hello >k.txt
"$PTXSEAL" inspect k.txt
