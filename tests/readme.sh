#!/bin/sh
# Write the command table of README.md again, from the program. Run it after adding a command.
cd "$(dirname "$0")/.." || exit 1
"${GLASSBOX:-build/glassbox}" help --markdown > /tmp/commands.$$ || exit 1
awk -v table="/tmp/commands.$$" '
    /^\| command \|/ || /^@@COMMANDS@@$/ { while ((getline line < table) > 0) print line; inside = 1 }
    inside && (/^\|/ || /^@@/) { next }
    { inside = 0; print }' README.md > README.md.new && mv README.md.new README.md
rm -f /tmp/commands.$$
