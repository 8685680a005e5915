# R-PTX-004: file, line, rule and remedy.
printf '.version 8.7\n.target sm_90a\n.entry k(.param .u31 n) { ret; }\n' >k.ptx
"$PTXSEAL" inspect k.ptx
