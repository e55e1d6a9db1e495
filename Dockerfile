# PaiTai in a container: docker build -t paitai . && docker run -p 8016:8016 -v paitai:/data paitai
FROM python:3.13-slim
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libgl1 libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN python -m pip install --no-cache-dir ".[postgres]" && rm -rf /src
RUN useradd --create-home paitai && mkdir /data && chown paitai /data
USER paitai
WORKDIR /home/paitai
ENV PAITAI_DATA=/data PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8016
# Everybody who reaches the port is a phone that has to pair: the code is in the log.
CMD ["paitai", "serve", "--lan", "--host", "0.0.0.0", "--port", "8016", "--no-browser"]
