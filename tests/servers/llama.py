"""llama.cpp's own OpenAI-compatible server (llama-cpp-python) over a model that model.py makes from a seed.

usage: llama.py DIRECTORY

Keeps the model in DIRECTORY, prints the port once it listens, and ends when its standard input does. Needs the Python of
`make test-server` (build/server).
"""
import os
import socket
import subprocess
import sys
import threading
import time

import uvicorn
from llama_cpp.server.app import create_app
from llama_cpp.server.settings import ModelSettings, ServerSettings


def main(directory):
    model = os.path.join(directory, "seeded.gguf")
    subprocess.run([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "model.py"), model], check=True)
    app = create_app(server_settings=ServerSettings(), model_settings=[ModelSettings(model=model, model_alias="seeded", n_ctx=2048, n_threads=1, verbose=False)])
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    print(listener.getsockname()[1], flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
